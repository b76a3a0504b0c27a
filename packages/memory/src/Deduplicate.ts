/**
 * Finds the part of a text that no stored note covers: without lines that are notes already, in any spelling or light
 * rewording, and without the frame around recalled notes. It compares the text with the notes that share its words and
 * with those that sessions were given last.
 */
import { Note } from "@bough/protocol"
import type { NoteStore } from "@bough/tool"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as ContentWords from "./ContentWords.ts"
import * as Neighbours from "./Neighbours.ts"
import * as Preferences from "./Preferences.ts"
import * as Recollection from "./Recollection.ts"
import * as ParaphraseMatch from "./ParaphraseMatch.ts"
import * as TextVariants from "./TextVariants.ts"

/** `fresh` "": all of it is known, and `known` is not empty. */
export interface Part {
  readonly fresh: string
  /** The notes that say the rest, each once. */
  readonly known: ReadonlyArray<Note.Note>
  /** Other notes that may be about the same as what is fresh. */
  readonly near: ReadonlyArray<Note.Note>
}

export interface KnownText {
  /** Records the notes that a user's session was given. */
  readonly given: (user: string, notes: ReadonlyArray<Note.Note>) => void
  /** `without`: notes that the text is to replace, so that they know nothing of it. */
  readonly part: (
    place: NoteStore.NoteScope,
    text: string,
    without?: ReadonlySet<Note.NoteId>
  ) => Effect.Effect<Part, NoteStore.NoteStoreFailed>
}

/** Notes of a user that were given out last: more than a turn recalls. */
const mostGiven = 64
/**
 * Users whose notes are held, those who were given or saved some last: 7 MB of notes of a hundred characters. Of who is
 * forgotten the database still knows every note again, line by line in any spelling, and in light rewording or joined
 * as far as it is among the `mostFound` that share most words. Only what is reworded of one beyond those may be saved
 * once more, where so many others were served between a turn's recall and its saving; the next recall holds both.
 */
const mostUsers = 512
/** Notes that share words with a text: more than it could join. */
const mostFound = 24

const none: ReadonlySet<Note.NoteId> = new Set()

interface Candidate {
  readonly of: Note.Note
  readonly text: string
}

export const make = (store: NoteStore.NoteStore["Service"]): KnownText => {
  /** The notes that sessions were given, by user and then by id; in both, the newest is last. */
  const lately = new Map<string, Map<Note.NoteId, string>>()

  /** Moves the user to the end, and forgets the users beyond the limit who were idle longest. */
  const used = (user: string, own: Map<Note.NoteId, string>): void => {
    lately.delete(user)
    lately.set(user, own)
    for (const [longest] of lately) {
      if (lately.size <= mostUsers) return
      lately.delete(longest)
    }
  }

  const given: KnownText["given"] = (user, notes) => {
    if (notes.length === 0) return
    const own = lately.get(user) ?? new Map<Note.NoteId, string>()
    used(user, own)
    for (const { noteId, text } of notes) {
      own.delete(noteId)
      own.set(noteId, text)
    }
    for (const noteId of [...own.keys()].slice(0, -mostGiven)) own.delete(noteId)
  }

  /** As they are now, where they are still this place's to see. */
  const givenLike = (place: NoteStore.NoteScope, text: string) => {
    const words = new Set(ContentWords.contentWords(text))
    const own = lately.get(place.user)
    if (own !== undefined) used(place.user, own)
    const alike = [...(own ?? [])].filter(
      ([, said]) => new Set(ContentWords.contentWords(said).filter((word) => words.has(word))).size > 1
    )
    return Effect.forEach(alike, ([noteId]) => store.get(place, noteId))
  }

  const candidates = Effect.fnUntraced(function* (place: NoteStore.NoteScope, text: string) {
    const query = { text, limit: mostFound, tags: [], kinds: Note.Kind.literals, exact: true }
    const found = (yield* store.search(place, query)).map(({ note }) => note)
    const others = (yield* givenLike(place, text)).filter((note) => note !== null)
    const each = new Map([...found, ...others].map((note) => [note.noteId, note]))
    return [...each.values()].map((note): Candidate => ({ of: note, text: note.text }))
  })

  const inAnySpelling = Effect.fnUntraced(function* (place: NoteStore.NoteScope, line: string) {
    for (const spelling of TextVariants.textVariants(line)) {
      const note = yield* store.sayingTheSame(place, spelling)
      if (note !== null) return note
    }
    return null
  })

  const part: KnownText["part"] = Effect.fnUntraced(function* (place, text, without = none) {
    const now = yield* Clock.currentTimeMillis
    const holds = (note: Note.Note): boolean => !without.has(note.noteId) && !Note.isEnded(note, now)
    const lines = text.split("\n").filter((line) => !Recollection.isFrame(line) && !Preferences.isFrame(line))
    const shared = yield* candidates(place, Recollection.undated(lines.join("\n")))
    const notes = shared.filter(({ of }) => holds(of))
    const fresh: Array<string> = []
    const known: Array<Note.Note> = []
    for (const line of lines) {
      const plain = Recollection.undated(line)
      const same = plain.trim() === "" ? null : yield* inAnySpelling(place, plain)
      const said = same === null || !holds(same) ? ParaphraseMatch.restatedNotes(plain, notes) : [same]
      if (said === null) fresh.push(line)
      else known.push(...said)
    }
    const left = fresh.join("\n").trim()
    // What is split over lines is known as a whole.
    const whole = left.includes("\n") ? ParaphraseMatch.restatedNotes(Recollection.undated(left), notes) : null
    const all = [...new Map([...known, ...(whole ?? [])].map((note) => [note.noteId, note])).values()]
    const fresher = whole === null ? left : ""
    const others = notes.map(({ of }) => of).filter((note) => !all.includes(note))
    return { fresh: fresher, known: all, near: fresher === "" ? [] : Neighbours.nearestNotes(fresher, others) }
  })

  return { given, part }
}
