/**
 * The part of the sandbox that runs commands. It is loaded with the first command, because it is a tenth of the
 * program's code.
 */
export * as PreparedStart from "./PreparedStart.ts"
export * as BubblewrapExecution from "./BubblewrapExecution.ts"
export * as ShellExecution from "./ShellExecution.ts"
export * as HostExecution from "./HostExecution.ts"
export * as SeatbeltExecution from "./SeatbeltExecution.ts"
export * as SeatbeltSetup from "./SeatbeltSetup.ts"
export * as SandboxSetup from "./SandboxSetup.ts"
export * as Pipes from "./internal/Pipes.ts"
