/**
 * Several calls in one step: a graph of links, whose arguments may refer to the outputs of other links. Each link is an
 * ordinary call of the session, with its own tier, rules, approval, replay class and receipt: adr/0124-chains-of-calls.md.
 */
import type { ToolError } from "@bough/protocol"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/** A call. In its arguments, `{ "$from": "LINK", "at": "/JSON/pointer" }` stands for a part of that link's output. */
export interface Link {
  /** Identifies the link within the chain. */
  readonly name: string
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
}

/** How a link ended. `text` is the text that the model would read if the call were made alone. */
export interface LinkEnd {
  readonly name: string
  readonly tool: string
  readonly status: "succeeded" | "failed" | "rejected" | "unknown" | "not run"
  readonly text: string
  /** The sentence for users; null: the link failed. */
  readonly display: string | null
  /** True if no other link refers to it. */
  readonly isLast: boolean
}

export class Chain extends Context.Service<
  Chain,
  {
    /**
     * Runs each link after the links that it refers to. If a link fails, the links that refer to it do not run; the
     * others do. Fails with a ValidationError before any link runs: for an unknown tool, link or part of an output, a
     * circle, or too many links.
     */
    readonly run: (links: ReadonlyArray<Link>) => Effect.Effect<ReadonlyArray<LinkEnd>, ToolError.ToolError>
  }
>()("@bough/tool/Chain") {
  static readonly floor = "Workspace"
}
