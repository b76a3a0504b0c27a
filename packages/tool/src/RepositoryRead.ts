/** Reads git's view of the workspace without running anything that the repository configures. */
import type { Session, ToolError } from "@bough/protocol"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

const labels: ReadonlyArray<Session.Label> = ["private"]

export class RepositoryRead extends Context.Service<
  RepositoryRead,
  {
    /**
     * Files below `path` that neither the last commit nor a snapshot holds as they are: deleting them loses work. At most
     * `limit`.
     */
    readonly unsaved: (path: string, limit: number) => Effect.Effect<ReadonlyArray<string>, ToolError.ToolError>
  }
>()("@bough/tool/RepositoryRead") {
  static readonly floor = "ReadOnly"
  static readonly labels = labels
}
