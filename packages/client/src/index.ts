/** A typed client of the gateway, for browsers and Node. */
export { connect, type Gateway, type GatewayOptions } from "./Gateway.ts"
export { type EventsOptions, type EventsState, readEvents } from "./Events.ts"
export { dataOf, GatewayError, type Problem } from "./Problem.ts"
export { requestKey } from "./RequestKey.ts"
export type * from "./Schema.ts"
