/**
 * Environment variables for a session's tools: the session's own, then those of the process that the operator's adapter
 * lists. Neither include secrets. `set` changes only the session's own variables.
 */
import type { Session, ToolError } from "@bough/protocol"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

export interface Variable {
  readonly value: string
  readonly from: "session" | "process"
}

const labels: ReadonlyArray<Session.Label> = ["private"]

export class Environment extends Context.Service<
  Environment,
  {
    /**
     * Null: the variable is not set, or hidden from tools. A name that looks like the name of a secret is a
     * PermissionDenied.
     */
    readonly get: (name: string) => Effect.Effect<Variable | null, ToolError.ToolError>
    /**
     * Sets a variable and returns its former value. A name or a value that looks like a secret is a PermissionDenied.
     */
    readonly set: (name: string, value: string) => Effect.Effect<Variable | null, ToolError.ToolError>
  }
>()("@bough/tool/Environment") {
  static readonly floor = "Workspace"
  static readonly labels = labels
}
