/**
 * What the user prefers, in the prompt of a Main: added with the first message, and again only where it has changed since,
 * so that a provider's cache of the prompt stays good. It is recalled text and nobody's instruction, but stays in the prompt when
 * older messages leave it.
 */
import { Canonical } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as ContextSource from "../journal/ContextSource.ts"
import type { Joining } from "../journal/Inbox.ts"
import type { Agent } from "./Agent.ts"

const source = ContextSource.preferences

const none = "None of the preferences that stand above is remembered any more."

const nothing: Joining = { bodies: [], labels: [] }

/** `last`: the digest of what was added last; null: nothing was. */
export const forMessage = ({ preferences }: Agent, last: string | null): Effect.Effect<Joining> =>
  preferences === undefined
    ? Effect.succeed(nothing)
    : Effect.map(preferences, (found): Joining => {
        if (found === null && last === null) return nothing
        const text = found?.text ?? none
        const digest = Canonical.digestOf({ source, text })
        if (digest === last) return nothing
        const untrusted = found?.untrusted === true
        return {
          bodies: [{ _tag: "ContextAdded", source, text, digest }],
          labels: found === null ? [] : untrusted ? ["private", "untrusted"] : ["private"]
        }
      })
