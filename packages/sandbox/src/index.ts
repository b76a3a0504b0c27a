/** Commands in a sandbox, on the host or not at all; helper processes of adapters. */
export * as ProcessRunnerNode from "./ProcessRunnerNode.ts"
export * as Limits from "./Limits.ts"
export * as Sandbox from "./Sandbox.ts"
export * as SandboxReport from "./SandboxReport.ts"
export * as Settings from "./Settings.ts"
