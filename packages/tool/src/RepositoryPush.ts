/** Sends commits of the workspace's repository to another one, with the access that the person has. */
import type { ToolError } from "@bough/protocol"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

export interface PushOptions {
  readonly remote: string
  readonly branch: string
  /** The commit that is sent. */
  readonly commit: string
  /**
   * The commit that the remote branch must be at, which is then moved even where commits are lost. Null: it is only
   * moved forward.
   */
  readonly replaces: string | null
}

export interface Pushed {
  readonly url: string
  /** The remote's own words. */
  readonly answer: string
}

export class RepositoryPush extends Context.Service<
  RepositoryPush,
  {
    /** Nothing is sent again where the other side is at the commit already. */
    readonly push: (options: PushOptions) => Effect.Effect<Pushed, ToolError.ToolError>
  }
>()("@bough/tool/RepositoryPush") {
  static readonly floor = "System"
  static readonly sends = true
}
