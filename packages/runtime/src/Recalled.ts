/** Notes that join the prompt beside a person's message: marked as recalled, labelled, and never anybody's instruction. */
import { Canonical, type Entry, type Session } from "@bough/protocol"
import * as Effect from "effect/Effect"
import type { Agent } from "./Agent.ts"

const source = "memory"

/** Whether it was recalled; what else is added was said by the operator or the project. */
export const is = (body: Entry.BodyOf<"ContextAdded">): boolean => body.source === source

export interface Joining {
  readonly bodies: ReadonlyArray<Entry.Body>
  readonly labels: ReadonlyArray<Session.Label>
}

const nothing: Joining = { bodies: [], labels: [] }

/** `contexts`: digests of what is in the prompt already, which does not join again. */
export const forMessage = ({ recall }: Agent, contexts: ReadonlySet<string>, message: string): Effect.Effect<Joining> =>
  recall === undefined
    ? Effect.succeed(nothing)
    : Effect.map(recall(message), (found): Joining => {
        if (found === null) return nothing
        const { text, untrusted } = found
        const digest = Canonical.digestOf({ source, text })
        return contexts.has(digest)
          ? nothing
          : {
              bodies: [{ _tag: "ContextAdded", source, text, digest }],
              labels: untrusted ? ["private", "untrusted"] : ["private"]
            }
      })
