/** A backend of commands: each of the operator's choices of where commands run is one. */
import { ToolError } from "@bough/protocol"
import type { Execution, ToolContext } from "@bough/tool"
import * as Effect from "effect/Effect"
import type * as CommandVault from "./CommandVault.ts"
import type * as SandboxReport from "./SandboxReport.ts"
import type * as SandboxSetup from "./SandboxSetup.ts"
import type * as ServiceProgram from "./ServiceProgram.ts"

export type ProvidedExecution = ToolContext.ProvidedService<Execution.Execution["Service"]>

/** `writable`: the session may write its workspace. */
export interface Session extends SandboxSetup.SessionDirectories {
  readonly writable: boolean
  /** Absent: commands get no entries of a vault. */
  readonly vault?: CommandVault.CommandVault
}

export interface Sandbox {
  /** Tests the properties of the sandbox. A result without faults is cached; otherwise the next use tests again. */
  readonly report: Effect.Effect<SandboxReport.SandboxReport>
  /** Makes the Execution of one session. Nothing is tested before the first command is announced. */
  readonly provided: (session: Session) => ProvidedExecution
  /** Runs a program that serves a session, in the place where the session's commands run. */
  readonly service: (session: Session) => ServiceProgram.RunService<ToolError.ToolError>
}

export const refused = (reason: string) => Effect.fail(new ToolError.PermissionDenied({ tier: "System", reason }))
