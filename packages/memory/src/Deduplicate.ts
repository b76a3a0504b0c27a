/**
 * Finds the part of a text that no stored note covers: it removes the frame around recalled notes, and lines that
 * repeat a note with another spelling or slight rewording. The text is compared with notes that share its words, and
 * with the notes that sessions were given most recently.
 */
import { Note } from "@bough/protocol"
import type { NoteStore } from "@bough/tool"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as ContentWords from "./ContentWords.ts"
import * as Neighbours from "./Neighbours.ts"
import * as ParaphraseMatch from "./ParaphraseMatch.ts"
import * as Preferences from "./Preferences.ts"
import * as Recollection from "./Recollection.ts"
import * as TextVariants from "./TextVariants.ts"

/** `fresh` is "" if the notes in `known` cover the whole text. */
export interface Part {
  readonly fresh: string
  /** The notes that cover the rest, without repetition. */
  readonly known: ReadonlyArray<Note.Note>
  /** Other notes that may be about the same subject. */
  readonly near: ReadonlyArray<Note.Note>
}

export interface KnownText {
  /** Records the notes that a user's session was given. */
  readonly remember: (user: string, notes: ReadonlyArray<Note.Note>) => void
  /** `without`: notes that the text replaces, and that are therefore not compared. */
  readonly part: (
    scope: NoteStore.NoteScope,
    text: string,
    without?: ReadonlySet<Note.NoteId>
  ) => Effect.Effect<Part, NoteStore.NoteStoreFailed>
}

/** The maximum number of remembered notes per user: more than a turn recalls. */
const maxGiven = 64
/**
 * The maximum number of users whose given notes are cached: 7 MB for notes of a hundred characters. For an evicted user
 * the database still finds every repeated line, and rewordings that share a rare word with a note; only a rewording
 * that shares just frequent words may be saved twice.
 */
const maxUsers = 512
/** The maximum number of notes that are compared for shared words: more than the lines of one text could come from. */
const maxFound = 24

const none: ReadonlySet<Note.NoteId> = new Set()

interface Candidate {
  readonly of: Note.Note
  readonly text: string
}

export const make = (store: NoteStore.NoteStore["Service"]): KnownText => {
  /** The notes that sessions were given, by user and then by id; in both, the newest is last. */
  const lately = new Map<string, Map<Note.NoteId, string>>()

  /** Moves the user to the end, and evicts the users that have been idle longest. */
  const used = (user: string, ownNotes: Map<Note.NoteId, string>): void => {
    lately.delete(user)
    lately.set(user, ownNotes)
    for (const [longest] of lately) {
      if (lately.size <= maxUsers) return
      lately.delete(longest)
    }
  }

  const remember: KnownText["remember"] = (user, notes) => {
    if (notes.length === 0) return
    const ownNotes = lately.get(user) ?? new Map<Note.NoteId, string>()
    used(user, ownNotes)
    for (const { noteId, text } of notes) {
      ownNotes.delete(noteId)
      ownNotes.set(noteId, text)
    }
    for (const noteId of [...ownNotes.keys()].slice(0, -maxGiven)) ownNotes.delete(noteId)
  }

  /** Returns the current versions of those notes that are still visible in the scope. */
  const givenLike = (scope: NoteStore.NoteScope, text: string) => {
    const words = new Set(ContentWords.contentWords(text))
    const ownNotes = lately.get(scope.user)
    if (ownNotes !== undefined) used(scope.user, ownNotes)
    const alike = [...(ownNotes ?? [])].filter(
      ([, said]) => new Set(ContentWords.contentWords(said).filter((word) => words.has(word))).size > 1
    )
    return Effect.forEach(alike, ([noteId]) => store.get(scope, noteId))
  }

  const candidates = Effect.fnUntraced(function* (scope: NoteStore.NoteScope, text: string) {
    const query = { text, limit: maxFound, tags: [], kinds: Note.Kind.literals, exact: true }
    const found = (yield* store.search(scope, query)).map(({ note }) => note)
    const others = (yield* givenLike(scope, text)).filter((note) => note !== null)
    const each = new Map([...found, ...others].map((note) => [note.noteId, note]))
    return [...each.values()].map((note): Candidate => ({ of: note, text: note.text }))
  })

  const inAnySpelling = Effect.fnUntraced(function* (scope: NoteStore.NoteScope, line: string) {
    for (const spelling of TextVariants.textVariants(line)) {
      const note = yield* store.sayingTheSame(scope, spelling)
      if (note !== null) return note
    }
    return null
  })

  const part: KnownText["part"] = Effect.fnUntraced(function* (scope, text, without = none) {
    const now = yield* Clock.currentTimeMillis
    const holds = (note: Note.Note): boolean => !without.has(note.noteId) && !Note.isEnded(note, now)
    const lines = text.split("\n").filter((line) => !Recollection.isFrame(line) && !Preferences.isFrame(line))
    const shared = yield* candidates(scope, Recollection.removeDates(lines.join("\n")))
    const notes = shared.filter(({ of }) => holds(of))
    const fresh: Array<string> = []
    const known: Array<Note.Note> = []
    for (const line of lines) {
      const plain = Recollection.removeDates(line)
      const same = plain.trim() === "" ? null : yield* inAnySpelling(scope, plain)
      const sameNotes = same === null || !holds(same) ? ParaphraseMatch.restatedNotes(plain, notes) : [same]
      if (sameNotes === null) fresh.push(line)
      else known.push(...sameNotes)
    }
    const freshText = fresh.join("\n").trim()
    // A note that is split over several lines is recognised as a whole.
    const restated = freshText.includes("\n")
      ? ParaphraseMatch.restatedNotes(Recollection.removeDates(freshText), notes)
      : null
    const all = [...new Map([...known, ...(restated ?? [])].map((note) => [note.noteId, note])).values()]
    const fresher = restated === null ? freshText : ""
    const others = notes.map(({ of }) => of).filter((note) => !all.includes(note))
    return { fresh: fresher, known: all, near: fresher === "" ? [] : Neighbours.nearestNotes(fresher, others) }
  })

  return { part, remember }
}
