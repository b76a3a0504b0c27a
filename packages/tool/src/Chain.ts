/**
 * Several calls in one step: a graph of links, whose arguments may refer to the outputs of other links. Each link is a call of the
 * session like any other, with its own tier, rules, approval, replay class and receipt. adr/0124-chains-of-calls.md.
 */
import type { ToolError } from "@bough/protocol"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/** A call. In its arguments, `{ "$from": "LINK", "at": "/JSON/pointer" }` stands for a part of that link's output. */
export interface Link {
  /** Names it within the chain. */
  readonly name: string
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
}

/** How a link ended. `text` is what the model would read of the call alone. */
export interface LinkEnd {
  readonly name: string
  readonly tool: string
  readonly status: "succeeded" | "failed" | "rejected" | "unknown" | "not run"
  readonly text: string
  /** The sentence for people; null: it did not succeed. */
  readonly display: string | null
  /** No other link refers to it. */
  readonly isLast: boolean
}

export class Chain extends Context.Service<
  Chain,
  {
    /**
     * Runs the links in an order in which each comes after those that it refers to. A link that fails ends those that refer to it; the
     * others run. ValidationError, before anything runs: an unknown tool, link or part of an output, a circle, or too many links.
     */
    readonly run: (links: ReadonlyArray<Link>) => Effect.Effect<ReadonlyArray<LinkEnd>, ToolError.ToolError>
  }
>()("@bough/tool/Chain") {
  static readonly floor = "Workspace"
}
