/** Commands in a sandbox, on the host or not at all; the variables that tools see; helper processes of adapters. */
export * as ProcessRunnerNode from "./ProcessRunnerNode.ts"
export * as Environment from "./Environment.ts"
export * as Limits from "./Limits.ts"
export * as Sandbox from "./Sandbox.ts"
export * as SandboxReport from "./SandboxReport.ts"
export * as SessionVariables from "./SessionVariables.ts"
export type { TriedBefore } from "./TriedBefore.ts"
export * as Settings from "./Settings.ts"
