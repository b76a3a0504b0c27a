/** Sessions as a list to pick from: title, age and state; the search also covers the words of the conversation. */
import { type Entry, Session } from "@bough/protocol"
import { EntryPages, type SessionStore } from "@bough/runtime"
import * as Picker from "@bough/tui/picker/Picker"
import * as Effect from "effect/Effect"
import type * as SessionSearch from "./SessionSearch.ts"

/** The number of sessions whose words are filtered while they are typed; the index has the words of all of them. */
const maxRead = 50
/** The maximum number of characters that are searched per session. */
const maxWords = 20_000

export const sessionItems = Effect.fnUntraced(function* (
  store: SessionStore.SessionStore["Service"],
  sessions: ReadonlyArray<Session.Summary>,
  { nowMillis, open }: ListContext
) {
  return yield* Effect.forEach(sessions, (summary, at) =>
    Effect.map(at < maxRead ? wordsOf(store, summary.sessionId) : Effect.succeed(none), (messages) =>
      itemOf(summary, messages, { nowMillis, open })
    )
  )
})

interface ListContext {
  readonly nowMillis: number
  readonly open: Session.SessionId
}

const itemOf = (
  { sessionId, state, title, updatedAtMillis }: Session.Summary,
  messages: SessionMessages,
  { nowMillis, open }: ListContext
): Picker.PickerItem =>
  Picker.item(sessionId, {
    label: title === "" ? "(no message yet)" : title,
    detail: [
      age(nowMillis - updatedAtMillis),
      state === "Suspended" ? "" : state.toLowerCase(),
      sessionId === open ? "this one" : ""
    ]
      .filter((part) => part !== "")
      .join(" · "),
    ...messages
  })

/** Makes the items of sessions that a search found, with the passage that it found. */
export const foundItems = (
  found: ReadonlyArray<SessionSearch.SessionMatch>,
  shown: ListContext
): ReadonlyArray<Picker.PickerItem> =>
  found.map(({ quote, summary }) => itemOf(summary, { preview: quote, words: "" }, shown))

interface SessionMessages {
  /** The newest words. */
  readonly preview: string
  readonly words: string
}

const none: SessionMessages = { preview: "", words: "" }

/** Returns "" for a journal that cannot be read, so that its session is listed all the same. */
const wordsOf = (
  store: SessionStore.SessionStore["Service"],
  sessionId: Session.SessionId
): Effect.Effect<SessionMessages> =>
  EntryPages.collect(store, sessionId).pipe(
    Effect.map((entries): SessionMessages => {
      const texts = entries.flatMap(textsIn)
      return {
        preview: (texts.at(-1) ?? "").replaceAll(/\s+/gu, " ").slice(0, 300),
        words: texts.join("\n").slice(0, maxWords)
      }
    }),
    Effect.catch(() => Effect.succeed(none))
  )

const textsIn = ({ body }: Entry.Entry): ReadonlyArray<string> => {
  if (body._tag === "UserMessage") return [body.text]
  return body._tag === "ModelReplied" ? body.parts.flatMap((part) => (part._tag === "Text" ? [part.text] : [])) : []
}

const minute = 60_000

/** `just now`, `5 min ago`, `3 h ago`, `2 d ago`. */
export const age = (millis: number): string => {
  if (millis < minute) return "just now"
  if (millis < 60 * minute) return `${Math.floor(millis / minute)} min ago`
  const hours = Math.floor(millis / (60 * minute))
  return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} d ago`
}
