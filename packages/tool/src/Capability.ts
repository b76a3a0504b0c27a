/**
 * The services through which a handler may act on the world. A capability's `floor` is the lowest tier of a tool that
 * uses it; its `labels` mark the data that a session gets through it.
 */
export * from "./CapabilityClass.ts"
export { floorOf, isBuiltIn } from "./internal/builtIn.ts"
export { make, provide } from "./OwnCapability.ts"
export type { Class, Facts } from "./OwnCapability.ts"
export type { Provision } from "./Provided.ts"
export * from "./internal/services.ts"
