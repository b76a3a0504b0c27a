/**
 * Adds the output of a user's command to the prompt: calls by users belong to no reply, so the prompt would not contain
 * them otherwise.
 */
import { Canonical, type Entry, type Session } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as ContextSource from "../journal/ContextSource.ts"
import type { SessionInbox } from "../journal/Inbox.ts"
import type * as Journal from "../journal/Journal.ts"
import * as Prompt from "../journal/Prompt.ts"
import { openJournal } from "../journal/SessionOpened.ts"
import type { LeaseLost, StoreFailed } from "../ports/SessionStore.ts"

export interface UserCommand {
  /** The call as the user wrote it, such as `$ git status` or `a.ts`. */
  readonly title: string
  readonly outcome: Entry.Outcome
}

/** A text by a third party, such as a prompt of a server, that the user inserted by its name. */
export interface ForeignText {
  /** The text's name and author in a line, such as `the prompt "review" of the MCP server tickets`. */
  readonly title: string
  readonly text: string
  /** Labels that are added to the session's labels. */
  readonly labels: ReadonlyArray<Session.Label>
}

export const textOf = ({ outcome, title }: UserCommand): string => `${title}\n${Prompt.describe(outcome)}`

/** The call's labels already count for the session. `redact` redacts the title. */
export const record = (
  journal: Journal.Journal["Service"],
  command: UserCommand,
  redact: (text: string) => string
): Effect.Effect<void, LeaseLost | StoreFailed> => {
  const source = ContextSource.userCommand
  const text = redact(textOf(command))
  return journal.append({
    bodies: [{ _tag: "ContextAdded", source, text, digest: Canonical.digestOf({ source, text }) }]
  })
}

/** The text is escaped so that it cannot close the element around it. It may be recorded before the first message. */
export const recordForeign = Effect.fnUntraced(function* (
  { journal, opening }: SessionInbox,
  { labels, text: foreign, title }: ForeignText,
  redact: (text: string) => string
) {
  if (opening !== null) {
    yield* openJournal(opening, [{ _tag: "SessionState", sessionId: journal.sessionId, state: "Suspended" }])
  }
  const source = ContextSource.foreign
  const text = redact(`${title}\n${foreign.replaceAll(/<(?=\/?context)/giu, "&lt;")}`)
  yield* journal.append({
    labels,
    bodies: [{ _tag: "ContextAdded", source, text, digest: Canonical.digestOf({ source, text }) }]
  })
})
