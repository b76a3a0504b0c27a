/** `offline/planner`: the model when no provider is configured. */
export * as OfflinePlanner from "./OfflinePlanner.ts"
