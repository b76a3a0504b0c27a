/** Saving, changing, removing, and settling what was held, over the rows of a `NoteTable`. Each in one go. */
import { Note } from "@bough/protocol"
import type { NoteStore } from "@bough/tool"
import type { NoteTable, Version } from "./NoteTable.ts"

export const get = (table: NoteTable, place: NoteStore.Place, noteId: string): Note.Note | null =>
  table.visible(place).find(({ note }) => note.noteId === noteId)?.note ?? null

export const sayingTheSame = (table: NoteTable, place: NoteStore.Place, text: string): Note.Note | null => {
  const wanted = Note.sameText(text)
  return table.visible(place).find(({ same }) => same === wanted)?.note ?? null
}

const replace = (table: NoteTable, { hold, user }: NoteStore.Place, note: Note.Note): void => {
  const before = table.at(user, note.noteId, hold)
  if (before !== undefined) table.drop(before)
  table.insert({ user, note, hold, removed: false })
}

export const save = (
  table: NoteTable,
  place: NoteStore.Place,
  draft: NoteStore.Draft & { readonly nowMillis: number }
): NoteStore.Saved => {
  const { createdAtMillis, nowMillis, updatedAtMillis, ...given } = draft
  const known = get(table, place, draft.noteId) ?? sayingTheSame(table, place, draft.text)
  if (known !== null) return { status: "Kept", note: known }
  const note: Note.Note = {
    ...given,
    text: draft.text.toWellFormed(),
    source: draft.source.toWellFormed(),
    createdAtMillis: createdAtMillis ?? nowMillis,
    updatedAtMillis: updatedAtMillis ?? nowMillis
  }
  replace(table, place, note)
  return { status: "Saved", note }
}

export const update = (
  table: NoteTable,
  place: NoteStore.Place,
  change: NoteStore.Change & { readonly noteId: Note.NoteId; readonly nowMillis: number }
): Note.Note | null => {
  const before = get(table, place, change.noteId)
  if (before === null) return null
  const note: Note.Note = {
    ...before,
    text: change.text?.toWellFormed() ?? before.text,
    kind: change.kind ?? before.kind,
    tags: change.tags ?? before.tags,
    untrusted: before.untrusted || change.untrusted,
    updatedAtMillis: change.updatedAtMillis ?? change.nowMillis
  }
  replace(table, place, note)
  return note
}

/** With a hold, what is everybody's stays and is only hidden. */
export const remove = (
  table: NoteTable,
  place: NoteStore.Place,
  { noteId, nowMillis }: { readonly noteId: Note.NoteId; readonly nowMillis: number }
): boolean => {
  const { hold, user } = place
  const before = get(table, place, noteId)
  if (before === null) return false
  const own = table.at(user, noteId, hold)
  if (own !== undefined) table.drop(own)
  if (hold !== null && table.at(user, noteId, null) !== undefined) {
    table.insert({ user, note: { ...before, updatedAtMillis: nowMillis }, hold, removed: true })
  }
  return true
}

/** Held rows become everybody's as new rows, so that an index that is past their numbers sees them. */
export const settle = (table: NoteTable, hold: string, end: "Keep" | "Drop"): number => {
  const held = table.heldUnder(hold)
  for (const version of held) {
    table.drop(version)
    if (end === "Keep") keep(table, version)
  }
  return held.length
}

/** Somebody may have saved the same meanwhile: once is enough. A change of a note is kept all the same. */
const keep = (table: NoteTable, { note, removed, user }: Version): void => {
  const before = table.at(user, note.noteId, null)
  if (before !== undefined) table.drop(before)
  if (removed) return
  const twin = before === undefined ? sayingTheSame(table, { user, hold: null }, note.text) : null
  if (twin === null) table.insert({ user, note, hold: null, removed: false })
}
