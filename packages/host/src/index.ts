/**
 * Assembles an agent for any app. This index is the public API: `AgentHost` opens sessions, `Settings` configures them,
 * `HostFailure` is their error. Other modules are imported by their path.
 */
export * as AgentHost from "./AgentHost.ts"
export * as HostFailure from "./HostFailure.ts"
export * as Packs from "./Packs.ts"
export * as Settings from "./config/Settings.ts"
