/** What assembles an agent for any app: configuration, trust, skills, rules, memory, capabilities, models, sessions. */
export * as HostContext from "./HostContext.ts"
export * as HostFailure from "./HostFailure.ts"
export * as Packs from "./Packs.ts"
export * as Settings from "./config/Settings.ts"
export * as ModelChoice from "./model/ModelChoice.ts"
export * as OpenSession from "./session/OpenSession.ts"
