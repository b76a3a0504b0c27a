/**
 * Chooses the notes that a session's prompts contain: the user's preferences, and the notes that are relevant to a
 * message. After a failure the prompt contains none, because the model can search for notes.
 */
import type * as Memory from "@bough/memory/Memory"
import type { Agent } from "@bough/runtime"
import { Tokens } from "@bough/runtime"
import type { NoteStore } from "@bough/tool"
import * as Effect from "effect/Effect"
import type { Settings } from "../config/Settings.ts"
import * as StandingNotes from "./StandingNotes.ts"

/**
 * The limits of the notes that a reflection is shown: the number of searched messages, the characters of each one, the
 * number of notes near each one, and the characters of all notes.
 */
const maxMessages = 6
const maxMessageLength = 500
const maxNotesPerMessage = 4
const maxNearCharacters = 4000

type RecallEffect = Effect.Effect<Agent.RecalledText | null>

export interface NoteRecall {
  /** The user's preferences, which every prompt contains; these notes are not recalled again. */
  readonly preferences: RecallEffect
  /** Recalls the notes that are relevant to a message; each note once in a session. */
  readonly recall: (message: string) => RecallEffect
  /** Finds the notes nearest to the user's messages, for a reflection. */
  readonly nearest: (messages: ReadonlyArray<string>) => RecallEffect
}

export interface NoteRecallOptions {
  readonly settings: Pick<Settings, "memory">
  readonly notes: NoteStore.NoteStore["Service"]
  /** The notes that may be recalled. */
  readonly scope: NoteStore.NoteScope
  readonly load: Effect.Effect<typeof import("./MemoryLibrary.ts")>
  readonly memory: Effect.Effect<Memory.Memory>
}

/** Recalls nothing, for a session without a user. */
export const none: NoteRecall = {
  preferences: Effect.succeed(null),
  recall: () => Effect.succeed(null),
  nearest: () => Effect.succeed(null)
}

const orNull = <E>(recalling: Effect.Effect<Agent.RecalledText | null, E>): RecallEffect =>
  Effect.orElseSucceed(recalling, () => null)

export const make = ({ load, memory, notes, scope, settings }: NoteRecallOptions): NoteRecall => {
  const recalled = new Set<string>()
  const markRecalled = (noteIds: ReadonlyArray<string> = []): void => {
    for (const noteId of noteIds) recalled.add(noteId)
  }
  const standing = StandingNotes.make(notes)
  return {
    preferences: Effect.gen(function* () {
      const maxLength = settings.memory.preferenceTokens * Tokens.charactersPerToken
      if (maxLength === 0) return null
      const found = yield* standing(scope, maxLength)
      markRecalled(found?.noteIds)
      return found === null ? null : { text: found.text, untrusted: false }
    }).pipe(orNull),
    // Searches by words first: if no note shares a word with the message, nothing more is loaded.
    recall: Effect.fnUntraced(function* (message) {
      const maxLength = settings.memory.recallTokens * Tokens.charactersPerToken
      if (maxLength === 0) return null
      const byWords = yield* notes.search(scope, { text: message, limit: 1, tags: [], kinds: [] })
      if (byWords.length === 0) return null
      const { recollection } = yield* load
      const found = recollection(yield* (yield* memory).findBearing(scope, message, recalled), maxLength)
      markRecalled(found?.noteIds)
      return found
    }, orNull),
    nearest: Effect.fnUntraced(function* (messages) {
      const { isSensitive, recollection } = yield* load
      const { search } = yield* memory
      const found = yield* Effect.forEach(messages.slice(0, maxMessages), (text) =>
        search(scope, { text: text.slice(0, maxMessageLength), limit: maxNotesPerMessage, tags: [], kinds: [] })
      )
      const all = new Map(found.flatMap((one) => one.notes.map(({ note }) => [note.noteId, note] as const)))
      const shown = [...all.values()].filter(({ text }) => !isSensitive(text))
      // Shows full ids, so that the reflection changes the right note.
      return recollection(
        shown.map((note) => ({ note, shortId: note.noteId })),
        maxNearCharacters
      )
    }, orNull)
  }
}
