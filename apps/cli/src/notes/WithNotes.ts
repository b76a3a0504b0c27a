/** The notes of the current user, for the commands of `memory`. */
import * as SettingsFile from "@bough/host/config/Settings"
import * as WorkspaceRoot from "@bough/host/project/WorkspaceRoot"
import { Note } from "@bough/protocol"
import { type ConversationIndex, NoteStore } from "@bough/tool"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { failure, type CommandFailure } from "../CliFailure.ts"
import type { Common } from "../command-line/flags/CommonFlags.ts"
import { toCliFailure } from "../Failures.ts"
import type { Program } from "../Program.ts"

type OpenNotes = Effect.Success<ReturnType<typeof openNotes>>

const openNotes = Effect.fnUntraced(function* (program: Program, common: Common) {
  const settings = yield* SettingsFile.load(program.environment, { ...SettingsFile.noOverrides, cwd: common.cwd }, null)
  const { user } = settings.environment
  if (user === null)
    return yield* failure(
      "cannot determine the current user; notes are stored per user",
      "add this account to the user database"
    )
  const scope = { user, hold: null, project: WorkspaceRoot.projectOf(settings.workspace.root) }
  /** `place` sees the notes of this project beside the user's, `allProjects` those of every project. */
  return { settings, place: scope, allProjects: { ...scope, everyProject: true } }
})

/** Runs with the user's notes; no session is opened. */
export const withNotes = <A>(
  program: Program,
  common: Common,
  work: (
    opened: OpenNotes & { readonly store: NoteStore.NoteStore["Service"] }
  ) => Effect.Effect<
    A,
    CommandFailure | NoteStore.NoteStoreFailed,
    NoteStore.NoteStore | ConversationIndex.ConversationIndex | Scope.Scope
  >
): Effect.Effect<A, CommandFailure> =>
  Effect.flatMap(openNotes(program, common), (opened) =>
    Effect.flatMap(NoteStore.NoteStore, (store) => work({ ...opened, store })).pipe(
      Effect.scoped,
      Effect.provide(program.adapters.store(opened.settings.dataDirectory)),
      Effect.mapError((error) => {
        if (error._tag === "Stop") return error
        return error._tag === "NoteStoreFailed" ? failure(error.message, error.hint, error) : toCliFailure(error)
      })
    )
  )

export const formatNoteCount = (notes: number): string => `${notes} ${notes === 1 ? "note" : "notes"}`

const pageLength = 500

/** The notes of every kind. */
export const allKinds: NoteStore.Filter = { tags: [], kinds: Note.Kind.literals }

/** Returns all notes that pass the filter, ordered by id. */
export const readNotes = (
  store: NoteStore.NoteStore["Service"],
  noteScope: NoteStore.NoteScope,
  { kinds, tags }: NoteStore.Filter
) =>
  Effect.gen(function* () {
    const all: Array<Note.Note> = []
    while (true) {
      const after = all.at(-1)?.noteId ?? ""
      const page = yield* store.list(noteScope, { kinds, tags, after, limit: pageLength })
      all.push(...page)
      if (page.length < pageLength) return all
    }
  })
