/** The server half: tools of an app for clients of the protocol. */
export type { ClientDecision, Offer, OfferedCall, OfferedResult, OfferedTool } from "./server/Offer.ts"
export { serveHttp } from "./server/serveHttp.ts"
export { serveStdio } from "./server/serveStdio.ts"
