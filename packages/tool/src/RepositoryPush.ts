/**
 * Sends commits of the workspace's repository to a remote one, and opens requests to merge them there, with the user's
 * own access. An adapter without a program for the host of the repository lacks the feature `pullRequests`.
 */
import type { Session, ToolError } from "@bough/protocol"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

export interface PushOptions {
  readonly remote: string
  readonly branch: string
  /** The commit that is sent. */
  readonly commit: string
  /**
   * The expected commit of the remote branch. A branch at this commit is moved even if commits are lost; a branch at
   * any other commit is not moved. Null: the branch is only moved forward.
   */
  readonly replaces: string | null
}

export interface PushResult {
  readonly url: string
  /** The output of the remote. */
  readonly answer: string
}

/** A branch, its commit when it was shown, and the branch into which it is to be merged. */
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

/** The remote writes the answer. */
const labels: ReadonlyArray<Session.Label> = ["untrusted"]

export class RepositoryPush extends Context.Service<
  RepositoryPush,
  {
    /** Sends nothing if the remote is at the commit already. */
    readonly push: (options: PushOptions) => Effect.Effect<PushResult, ToolError.ToolError>
    /** Pushes the commit unless the remote already has it, then opens the request with the program of the host. */
    readonly openPullRequest: (options: PullRequestOptions) => Effect.Effect<PullRequest, ToolError.ToolError>
  }
>()("@bough/tool/RepositoryPush") {
  static readonly floor = "System"
  static readonly labels = labels
  static readonly sends = true
}
