/**
 * Standing text in the prompt: the environment and, for a Main, the user's preferences. It is added with the first
 * message and again only after a change, which keeps a provider's cache of the prompt valid. It stays when older
 * messages leave the prompt, and contains no instructions.
 */
import { Canonical, type Entry, type Session } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as ContextSource from "../journal/ContextSource.ts"
import type { JoinedEntries } from "../journal/Inbox.ts"
import type { Agent } from "./Agent.ts"

const noPreferences = "None of the preferences that stand above is remembered any more."

type LastDigests = ReadonlyMap<ContextSource.StandingSource, string>

const nothing: JoinedEntries = { bodies: [], labels: [] }

/** `last`: digests of the last added texts, by source. */
export const forMessage = (agent: Agent, last: LastDigests): Effect.Effect<JoinedEntries> =>
  Effect.zipWith(environment(agent, last), preferences(agent, last), (one, other) => ({
    bodies: [...one.bodies, ...other.bodies],
    labels: [...one.labels, ...other.labels]
  }))

/** Returns the environment for the first prompt of a child. */
export const forChild = ({ prompt: { environment } }: Agent): Effect.Effect<ReadonlyArray<Entry.Body>> =>
  environment === undefined
    ? Effect.succeed([])
    : Effect.map(environment, (text) => [bodyOf(ContextSource.environment, text)])

const environment = ({ prompt: { environment } }: Agent, last: LastDigests): Effect.Effect<JoinedEntries> =>
  environment === undefined
    ? Effect.succeed(nothing)
    : Effect.map(environment, (text) => joinedEntries({ source: ContextSource.environment, text, labels: [] }, last))

const preferences = ({ prompt: { preferences } }: Agent, last: LastDigests): Effect.Effect<JoinedEntries> =>
  preferences === undefined
    ? Effect.succeed(nothing)
    : Effect.map(preferences, (found): JoinedEntries => {
        const source = ContextSource.preferences
        if (found !== null) {
          return joinedEntries(
            { source, text: found.text, labels: found.untrusted ? ["private", "untrusted"] : ["private"] },
            last
          )
        }
        return last.has(source) ? joinedEntries({ source, text: noPreferences, labels: [] }, last) : nothing
      })

interface StandingText {
  readonly source: ContextSource.StandingSource
  readonly text: string
  readonly labels: ReadonlyArray<Session.Label>
}

const joinedEntries = ({ labels, source, text }: StandingText, last: LastDigests): JoinedEntries => {
  const body = bodyOf(source, text)
  return last.get(source) === body.digest ? nothing : { bodies: [body], labels }
}

const bodyOf = (source: ContextSource.StandingSource, text: string): Entry.BodyOf<"ContextAdded"> => ({
  _tag: "ContextAdded",
  source,
  text,
  digest: Canonical.digestOf({ source, text })
})
