/** A memory in memory: notes that are found by their words, files, a scratchpad, and earlier sessions. */
import { Note, type Session, ToolError } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as Capability from "../../Capability.ts"
import type * as MemoryRead from "../../MemoryRead.ts"
import type * as MemoryWrite from "../../MemoryWrite.ts"
import type { TestWorld } from "../conformance/Subject.ts"

export interface MemoryContent {
  /** The texts of the notes `note-1`, `note-2` and so on. */
  readonly notes?: ReadonlyArray<string>
  /** The texts of the memory files by path. */
  readonly files?: Readonly<Record<string, string>>
  /** Earlier sessions of the user. Their only entry says their title. */
  readonly sessions?: ReadonlyArray<Session.Summary>
}

const make = (noteId: string, text: string): Note.Note => ({
  noteId: Note.NoteId.make(noteId),
  kind: "fact",
  text,
  tags: [],
  source: "session ses_1",
  untrusted: false,
  createdAtMillis: 0,
  updatedAtMillis: 0,
  project: null,
  validUntilMillis: null
})

const wordsOf = (text: string): ReadonlyArray<string> => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** Makes the world. `state` shows all notes, files and items. */
export const memory = (content: MemoryContent = {}): TestWorld => {
  const notes = new Map(
    (content.notes ?? []).map((text, index) => [`note-${index + 1}`, make(`note-${index + 1}`, text)])
  )
  const files = new Map(Object.entries(content.files ?? {}))
  const pad = { items: [] as ReadonlyArray<string> }
  return {
    provisions: [
      Capability.provide(Capability.MemoryRead, { service: memoryRead(notes, files) }),
      Capability.provide(Capability.MemoryWrite, { service: memoryWrite(notes, files) }),
      Capability.provide(Capability.Scratchpad, {
        service: {
          read: Effect.sync(() => ({ ...pad, updatedAtMillis: 0 })),
          write: (items) => Effect.sync(() => ({ ...Object.assign(pad, { items }), updatedAtMillis: 0 }))
        }
      }),
      Capability.provide(Capability.History, { service: historyOf(content.sessions ?? []) })
    ],
    state: () => ({ notes: [...notes], files: [...files], ...pad })
  }
}

type Notes = Map<string, Note.Note>
type Files = Map<string, string>

const memoryRead = (notes: Notes, files: Files): MemoryRead.MemoryRead["Service"] => ({
  search: ({ limit, text }) =>
    Effect.sync(() => {
      const queryWords = new Set(wordsOf(text))
      const found = [...notes.values()].filter((one) => wordsOf(one.text).some((word) => queryWords.has(word)))
      return {
        notes: found.slice(0, limit).map((note) => ({ note, score: 0.9, confidence: "sure" as const })),
        fits: found.length > 0,
        wordsOnly: null
      }
    }),
  get: (noteId) => Effect.sync(() => notes.get(noteId) ?? null),
  conversations: () => Effect.succeed({ messages: [], notIndexed: 0 }),
  history: () => Effect.succeed([]),
  listFiles: Effect.sync(() => [...files].map(([path, text]) => ({ path, summary: "", bytes: text.length }))),
  readFile: (path) => contentOf(files, path)
})

const contentOf = (files: Files, path: string): Effect.Effect<string, ToolError.ToolError> =>
  Effect.suspend(() => {
    const text = files.get(path)
    return text === undefined
      ? Effect.fail(new ToolError.ValidationError({ message: `no file ${path}`, field: "path", issues: [] }))
      : Effect.succeed(text)
  })

const memoryWrite = (notes: Notes, files: Files): MemoryWrite.MemoryWrite["Service"] => {
  const store = (noteId: string, text: string) =>
    Effect.sync((): MemoryWrite.MemorySaved => {
      const known = [...notes.values()].find((one) => one.text === text)
      if (known !== undefined) return { status: "Kept", note: known, known: [known], near: [], hidden: [] }
      const saved = make(noteId, text)
      notes.set(noteId, saved)
      return { status: "Saved", note: saved, known: [], near: [], hidden: [] }
    })
  const write = (path: string, text: string) => Effect.sync(() => (files.set(path, text), { path, bytes: text.length }))
  return {
    save: ({ text }) => Effect.suspend(() => store(`note-${notes.size + 1}`, text)),
    update: (noteId, { text }) => store(noteId, text),
    remove: (noteId) => Effect.sync(() => void notes.delete(noteId)),
    writeFile: write,
    editFile: (path, edit) => Effect.flatMap(Effect.flatMap(contentOf(files, path), edit), (text) => write(path, text))
  }
}

const historyOf = (sessions: ReadonlyArray<Session.Summary>): Capability.History["Service"] => {
  const titleOf = (sessionId: string): Effect.Effect<string, ToolError.ToolError> => {
    const found = sessions.find((one) => one.sessionId === sessionId)
    return found === undefined
      ? Effect.fail(new ToolError.ExecutionError({ message: `no session ${sessionId}` }))
      : Effect.succeed(found.title)
  }
  return {
    list: () => Effect.succeed(sessions),
    replay: (sessionId) =>
      Effect.map(titleOf(sessionId), (text) => ({ items: [{ seq: 0, from: "user", text }], nextSeq: null })),
    archive: (sessionId) =>
      Effect.map(titleOf(sessionId), (title) => ({ items: [JSON.stringify({ title })], nextSeq: null }))
  }
}
