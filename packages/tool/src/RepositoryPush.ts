/**
 * Sends commits of the workspace's repository to another one and asks there to merge them, with the access that the
 * person has. An adapter without a program for the host of the repository lacks the feature `pullRequests`.
 */
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

/** A branch, the commit that it was shown at, and the branch that it is to be merged into. */
export interface PullRequestOptions {
  readonly remote: string
  readonly branch: string
  /** The commit that is sent. */
  readonly commit: string
  readonly into: string
  readonly base: string
  readonly title: string
  readonly body: string
  readonly draft: boolean
}

export interface PullRequest {
  readonly url: string
  readonly number: number
}

export class RepositoryPush extends Context.Service<
  RepositoryPush,
  {
    /** Nothing is sent again where the other side is at the commit already. */
    readonly push: (options: PushOptions) => Effect.Effect<Pushed, ToolError.ToolError>
    /** Pushes the commit where the other side is not at it yet, then opens the request with the program of the host. */
    readonly openPullRequest: (options: PullRequestOptions) => Effect.Effect<PullRequest, ToolError.ToolError>
  }
>()("@bough/tool/RepositoryPush") {
  static readonly floor = "System"
  static readonly sends = true
}
