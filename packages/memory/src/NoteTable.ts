/**
 * The rows of all notes, as `NoteStore` describes them: a row never changes, its number is used once, and what is held
 * shadows what is everybody's. Plain data; nothing here waits.
 */
import { Note } from "@bough/protocol"
import type { NoteStore } from "@bough/tool"

export interface Version {
  readonly row: number
  readonly user: string
  readonly note: Note.Note
  /** What two notes that say the same have in common. */
  readonly same: string
  /** Null: everybody's. */
  readonly hold: string | null
  /** It takes a note away, for who sees the hold. */
  readonly removed: boolean
}

/** One user's rows, by number and so in the order in which they were written, and what stands for user and tags in an index. */
interface Own {
  readonly number: number
  readonly tags: Map<string, number>
  readonly rows: Map<number, Version>
}

export interface NoteTable {
  readonly insert: (version: Omit<Version, "row" | "same">) => void
  readonly drop: (version: Version) => void
  /** Exactly that version; undefined: there is none. */
  readonly at: (user: string, noteId: string, hold: string | null) => Version | undefined
  /** Of all users. */
  readonly heldUnder: (hold: string) => ReadonlyArray<Version>
  /** What a place sees: its own held versions, else everybody's. */
  readonly visible: (place: NoteStore.Place) => ReadonlyArray<Version>
  readonly held: (place: NoteStore.Place) => ReadonlyArray<NoteStore.IndexRow>
  readonly numbered: (user: string, filter: NoteStore.Filter) => NoteStore.NumberedFilter | null
  /** Everybody's rows after a number, ascending. */
  readonly shared: (after: number, limit: number) => ReadonlyArray<NoteStore.IndexRow>
  readonly counters: () => { readonly written: number; readonly dropped: number }
  readonly drops: (seen: number, limit: number) => ReadonlyArray<number>
  readonly users: () => ReadonlyArray<{ readonly user: string; readonly notes: number }>
}

/** `start`: every row has a higher number. */
export const make = (start: number): NoteTable => {
  const users = new Map<string, Own>()
  const all = new Map<number, Version>()
  const dropped: Array<number> = []
  let tags = 0
  let last = start

  const ownOf = (user: string): Own => {
    const known = users.get(user)
    if (known !== undefined) return known
    const made: Own = { number: users.size + 1, tags: new Map(), rows: new Map() }
    users.set(user, made)
    return made
  }

  const rowsOf = (user: string): ReadonlyArray<Version> => [...(users.get(user)?.rows.values() ?? [])]

  const indexRow = ({ note, row, user }: Version): NoteStore.IndexRow => {
    const own = ownOf(user)
    const numbers = note.tags.map((tag) => own.tags.get(tag) ?? 0)
    return { row, user: own.number, tags: numbers, kind: numberOf(note.kind), text: note.text }
  }

  return {
    insert: (given) => {
      const own = ownOf(given.user)
      for (const tag of given.note.tags) if (!own.tags.has(tag)) own.tags.set(tag, ++tags)
      const version = { ...given, row: ++last, same: Note.sameText(given.note.text) }
      own.rows.set(last, version)
      all.set(last, version)
    },
    drop: ({ hold, row, user }) => {
      users.get(user)?.rows.delete(row)
      all.delete(row)
      if (hold === null) dropped.push(row)
    },
    at: (user, noteId, hold) => rowsOf(user).find((version) => version.note.noteId === noteId && version.hold === hold),
    heldUnder: (hold) => [...all.values()].filter((version) => version.hold === hold),
    visible: ({ hold, user }) => {
      const rows = rowsOf(user)
      if (hold === null) return rows.filter((version) => version.hold === null)
      const own = new Set(rows.filter((version) => version.hold === hold).map(({ note }) => note.noteId))
      return rows.filter(
        (version) =>
          !version.removed && (version.hold === hold || (version.hold === null && !own.has(version.note.noteId)))
      )
    },
    held: ({ hold, user }) =>
      hold === null
        ? []
        : rowsOf(user)
            .filter((version) => version.hold === hold && !version.removed)
            .map(indexRow),
    numbered: (user, filter) => {
      const own = users.get(user)
      const wanted = filter.tags.flatMap((tag) => own?.tags.get(tag) ?? [])
      return own === undefined || wanted.length < filter.tags.length
        ? null
        : { user: own.number, tags: wanted, kinds: kindsOf(filter).map(numberOf) }
    },
    shared: (after, limit) =>
      [...all.values()]
        .filter(({ hold, row }) => hold === null && row > after)
        .slice(0, limit)
        .map(indexRow),
    counters: () => ({ written: last, dropped: dropped.length }),
    drops: (seen, limit) => dropped.slice(seen, seen + limit),
    users: () =>
      Array.from(users, ([user, { rows }]) => ({
        user,
        notes: [...rows.values()].filter(({ hold }) => hold === null).length
      }))
        .filter(({ notes }) => notes > 0)
        .toSorted((left, right) => byText(left.user, right.user))
  }
}

const numberOf = (kind: Note.Kind): number => Note.Kind.literals.indexOf(kind)

/** No kind asked for: all but conversations. */
const kindsOf = ({ kinds }: NoteStore.Filter): ReadonlyArray<Note.Kind> =>
  kinds.length === 0 ? Note.Kind.literals.filter((kind) => kind !== "conversation") : kinds

export const passes =
  (filter: NoteStore.Filter) =>
  ({ note }: Version): boolean =>
    kindsOf(filter).includes(note.kind) && filter.tags.every((tag) => note.tags.includes(tag))

/** The order of every store: by UTF-8. */
export const byText = (left: string, right: string): number => Buffer.compare(Buffer.from(left), Buffer.from(right))
