/**
 * What joins the prompt beside a person's message: notes that bear on it, and what a reflection said of the work before it.
 * Marked as what it is, labelled, and never anybody's instruction.
 */
import { Canonical, type Entry, type Session } from "@bough/protocol"
import * as Effect from "effect/Effect"
import type { Agent } from "./Agent.ts"
import * as Preferences from "./Preferences.ts"
import type { Offered } from "../journal/SessionState.ts"
import * as VerdictText from "./VerdictText.ts"

const memory = "memory"
const reflection = "reflection"

/** Whether it was recalled or reflected; what else is added was said by the operator or the project. */
export const is = (body: Entry.BodyOf<"ContextAdded">): boolean =>
  body.source === memory || body.source === reflection || Preferences.is(body)

export interface Joining {
  readonly bodies: ReadonlyArray<Entry.Body>
  readonly labels: ReadonlyArray<Session.Label>
}

const nothing: Joining = { bodies: [], labels: [] }

const joining = (source: string, text: string, labels: ReadonlyArray<Session.Label>): Joining => ({
  bodies: [{ _tag: "ContextAdded", source, text, digest: Canonical.digestOf({ source, text }) }],
  labels
})

const both = (one: Joining, other: Joining): Joining => ({
  bodies: [...one.bodies, ...other.bodies],
  labels: [...one.labels, ...other.labels]
})

const verdictOf = (offered: Offered | null): Joining => {
  const text = offered === null ? null : VerdictText.forModel(offered.output)
  return offered === null || text === null ? nothing : joining(reflection, text, offered.labels)
}

interface Known {
  /** Digests of what is in the prompt already, which does not join again. */
  readonly contexts: ReadonlySet<string>
  readonly offered: Offered | null
}

export const forMessage = (
  { recall }: Agent,
  { contexts, offered }: Known,
  message: string
): Effect.Effect<Joining> => {
  const verdict = verdictOf(offered)
  if (recall === undefined) return Effect.succeed(verdict)
  return Effect.map(recall(message), (found): Joining => {
    if (found === null) return verdict
    const { text, untrusted } = found
    return contexts.has(Canonical.digestOf({ source: memory, text }))
      ? verdict
      : both(joining(memory, text, untrusted ? ["private", "untrusted"] : ["private"]), verdict)
  })
}
