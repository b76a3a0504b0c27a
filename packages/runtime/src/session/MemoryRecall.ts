/**
 * The entries that accompany a user's message: relevant notes, and the last reflection's verdict on the work. They are
 * marked with their source and labelled, and never count as instructions.
 */
import { Canonical, type Session } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as ContextSource from "../journal/ContextSource.ts"
import type { JoinedEntries } from "../journal/Inbox.ts"
import type { ReflectionOutput } from "../journal/SessionState.ts"
import type { Agent } from "./Agent.ts"
import * as StandingContext from "./StandingContext.ts"
import * as VerdictText from "./VerdictText.ts"

const { memory, reflection } = ContextSource

const nothing: JoinedEntries = { bodies: [], labels: [] }

const contextEntries = (source: string, text: string, labels: ReadonlyArray<Session.Label>): JoinedEntries => ({
  bodies: [{ _tag: "ContextAdded", source, text, digest: Canonical.digestOf({ source, text }) }],
  labels
})

const joinEntries = (one: JoinedEntries, other: JoinedEntries): JoinedEntries => ({
  bodies: [...one.bodies, ...other.bodies],
  labels: [...one.labels, ...other.labels]
})

const verdictOf = (offered: ReflectionOutput | null): JoinedEntries => {
  const text = offered === null ? null : VerdictText.forModel(offered.output)
  return offered === null || text === null ? nothing : contextEntries(reflection, text, offered.labels)
}

interface KnownTexts {
  /** Digests of texts that the prompt already contains, which are not added again. */
  readonly contexts: ReadonlySet<string>
  readonly offered: ReflectionOutput | null
  /** Digests of the standing text that was added last, by source. */
  readonly standing: ReadonlyMap<ContextSource.StandingSource, string>
}

/** Returns the entries for the prompt that accompany a message: standing text, then text relevant to the message. */
export const forMessage = (agent: Agent, known: KnownTexts, message: string): Effect.Effect<JoinedEntries> =>
  Effect.zipWith(StandingContext.forMessage(agent, known.standing), recallEntries(agent, known, message), joinEntries)

const recallEntries = (
  { prompt: { recall } }: Agent,
  { contexts, offered }: KnownTexts,
  message: string
): Effect.Effect<JoinedEntries> => {
  const verdict = verdictOf(offered)
  if (recall === undefined) return Effect.succeed(verdict)
  return Effect.map(recall(message), (found): JoinedEntries => {
    if (found === null) return verdict
    const { text, untrusted } = found
    return contexts.has(Canonical.digestOf({ source: memory, text }))
      ? verdict
      : joinEntries(contextEntries(memory, text, untrusted ? ["private", "untrusted"] : ["private"]), verdict)
  })
}
