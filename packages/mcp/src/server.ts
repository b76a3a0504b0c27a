/** The server half: tools of an app for clients of the protocol. */
export * as AgentTool from "./server/AgentTool.ts"
export type { ClientDecision, ServerOffer, OfferedCall, OfferedResult, OfferedTool } from "./server/Offer.ts"
export { serveHttp } from "./server/serveHttp.ts"
export { serveStdio } from "./server/serveStdio.ts"
export { type WebConnections, webConnections, type WebRequest } from "./server/webConnections.ts"
