/**
 * The memory of a session and its descendants. The memory package is loaded with the first call of one of its tools.
 * The writes of a turn are staged until the turn ends, and committed only if it succeeds.
 */
import * as FileFolders from "@bough/memory/FileFolders"
import type { NoteIndex } from "@bough/memory"
import type * as Memory from "@bough/memory/Memory"
import { Note, type Session, type SessionResult } from "@bough/protocol"
import { type Agent, SessionHistory, SessionStore, Tokens, type Turn } from "@bough/runtime"
import {
  Capability,
  ConversationIndex,
  type Invocation,
  NoteStore,
  type ScratchpadStore,
  ToolContext
} from "@bough/tool"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { existsSync } from "node:fs"
import type { Settings } from "../config/Settings.ts"
import * as WorkspaceRoot from "../project/WorkspaceRoot.ts"
import * as StagedMemory from "./StagedMemory.ts"
import * as StandingNotes from "./StandingNotes.ts"

/**
 * The limits of the notes that a reflection is shown: the number of searched messages, the characters of each one, the
 * number of notes near each one, and the characters of all notes.
 */
const maxSaid = 6
const longestSaid = 500
const nearEach = 4
const maxNearCharacters = 4000

type Caller = Invocation.Invocation["Service"]
export type Stores =
  | NoteStore.NoteStore
  | ConversationIndex.ConversationIndex
  | ScratchpadStore.ScratchpadStore
  | SessionStore.SessionStore

/** The result of a reflection, and the notes that it saved. */
export interface ReflectionWithNotes {
  readonly result: SessionResult.SessionResult
  readonly notes: ReadonlyArray<Note.Note>
}

export class Memories extends Context.Service<
  Memories,
  {
    readonly provideReads: (context: ToolContext.ToolContext) => ToolContext.ToolContext
    readonly provideWrites: (context: ToolContext.ToolContext) => ToolContext.ToolContext
    /** The capabilities of a reflection. */
    readonly reflecting: ToolContext.ToolContext
    /** Finds the notes nearest to the user's messages, for a reflection. */
    readonly nearest: (said: ReadonlyArray<string>) => Effect.Effect<Agent.Recollection | null>
    /**
     * Runs a reflection on this Main; its notes are committed if it completes, else discarded. Null: there was no
     * reflection.
     */
    readonly keepReflection: <E, R>(
      main: Session.SessionId,
      reflection: Effect.Effect<SessionResult.SessionResult | null, E, R>
    ) => Effect.Effect<ReflectionWithNotes | null, E, R>
    /** The user's preferences, which every prompt contains; these notes are not recalled again. */
    readonly preferences: Effect.Effect<Agent.Recollection | null>
    /** Recalls the notes that are relevant to a message; each note once in a session. */
    readonly recall: (message: string) => Effect.Effect<Agent.Recollection | null>
    /** Commits or discards the staged writes of a turn of this Main, depending on how the turn ended. */
    readonly settle: (main: Session.SessionId, exit: Exit.Exit<Turn.TurnResult | null, unknown>) => Effect.Effect<void>
    /** Commits the staged writes of a single call. */
    readonly keep: (main: Session.SessionId) => Effect.Effect<void>
    /** Indexes some of the messages since the last run; a search indexes the rest. */
    readonly indexSaid: Effect.Effect<void>
  }
>()("@bough/host/Memories") {}

const holdOfCall = ({ sessionId, sessionPath }: Caller, work: StagedMemory.Work): string =>
  StagedMemory.stagingKey(sessionPath[0] ?? sessionId, work)

const perCall = <Service>(make: ToolContext.Provided<Service>["make"]): ToolContext.Provided<Service> => ({
  make,
  reach: "Confined",
  preconditions: []
})

const untold: NoteIndex.Progress = () => {}

/** Makes the memory of a session. `onIndexing` receives the progress of the index, which is built in the background. */
export const make = Effect.fnUntraced(function* (settings: Settings, onIndexing: NoteIndex.Progress = untold) {
  const stores = yield* Effect.context<Stores>()
  const scope = yield* Effect.scope
  const notes = Context.get(stores, NoteStore.NoteStore)
  const history = yield* SessionHistory.make
  const load = Effect.promise(() => import("./MemoryLibrary.ts"))
  const memory: Effect.Effect<Memory.Memory> = yield* Effect.cached(
    Effect.flatMap(load, ({ open }) => open(settings, onIndexing)).pipe(
      Effect.tap(() =>
        StagedMemory.dropAbandoned(settings.dataDirectory, Context.get(stores, SessionStore.SessionStore))
      ),
      Effect.provideContext(stores),
      Effect.provideService(Scope.Scope, scope)
    )
  )
  const scratchpads = yield* Effect.cached(
    Effect.provideContext(
      Effect.flatMap(load, ({ scratchpads: made }) => made),
      stores
    )
  )

  const read =
    (work: StagedMemory.Work) =>
    (caller: Caller, mark: ToolContext.Mark): Capability.MemoryRead["Service"] => {
      const own = Effect.map(memory, (opened) => opened.read(caller, mark, holdOfCall(caller, work)))
      return {
        search: (query) => Effect.flatMap(own, ({ search }) => search(query)),
        get: (noteId) => Effect.flatMap(own, ({ get }) => get(noteId)),
        conversations: (query) => Effect.flatMap(own, ({ conversations }) => conversations(query)),
        history: (noteId) => Effect.flatMap(own, ({ history }) => history(noteId)),
        listFiles: Effect.flatMap(own, ({ listFiles }) => listFiles),
        readFile: (path) => Effect.flatMap(own, ({ readFile }) => readFile(path))
      }
    }
  const write =
    (work: StagedMemory.Work) =>
    (caller: Caller): Capability.MemoryWrite["Service"] => {
      const own = Effect.map(memory, (opened) => opened.write(caller, holdOfCall(caller, work)))
      return {
        save: (text) => Effect.flatMap(own, ({ save }) => save(text)),
        update: (noteId, text) => Effect.flatMap(own, ({ update }) => update(noteId, text)),
        remove: (noteId, kept) => Effect.flatMap(own, ({ remove }) => remove(noteId, kept)),
        writeFile: (path, content) => Effect.flatMap(own, ({ writeFile }) => writeFile(path, content)),
        editFile: (path, edit) => Effect.flatMap(own, ({ editFile }) => editFile(path, edit))
      }
    }
  const scratchpad = (caller: Caller): Capability.Scratchpad["Service"] => ({
    read: Effect.flatMap(scratchpads, (of) => of(caller).read),
    write: (items) => Effect.flatMap(scratchpads, (of) => of(caller).write(items))
  })

  /** After a failure the changes stay staged: no other session sees them, and the next turn commits or discards them. */
  const end = (main: string, how: "Keep" | "Drop", work: StagedMemory.Work = "turn") =>
    Effect.andThen(
      Effect.ignore(notes.settle(StagedMemory.stagingKey(main, work), how)),
      Effect.ignore(endFiles(StagedMemory.stagingKey(main, work), how))
    )

  const files = StagedMemory.filesFolder(settings.dataDirectory)
  const endFiles = (hold: string, how: "Keep" | "Drop") =>
    Effect.suspend(() =>
      existsSync(FileFolders.held(files))
        ? Effect.flatMap(load, ({ settleFiles }) => settleFiles(files, hold, how))
        : Effect.void
    )

  const { user } = settings.environment
  const project = WorkspaceRoot.projectOf(settings.workspaceRoot)
  const notesOf = (result: SessionResult.SessionResult | null) =>
    user === null
      ? Effect.succeed([])
      : Effect.forEach([...new Set(result?.memoryIds)], (noteId) =>
          notes.get({ user, hold: null, project }, Note.NoteId.make(noteId))
        ).pipe(
          Effect.map((found) => found.filter((note) => note !== null)),
          Effect.orElseSucceed(() => [])
        )
  /** Discards changes that an earlier reflection left staged because its process died. */
  const keepReflection: Memories["Service"]["keepReflection"] = (main, reflection) =>
    end(main, "Drop", "reflection").pipe(
      Effect.andThen(reflection),
      Effect.onExit((exit) =>
        end(main, Exit.isSuccess(exit) && exit.value?.status === "Completed" ? "Keep" : "Drop", "reflection")
      ),
      Effect.flatMap((result) =>
        result === null
          ? Effect.succeed(null)
          : Effect.map(notesOf(result.status === "Completed" ? result : null), (kept) => ({ result, notes: kept }))
      )
    )

  /** After a failure the reflection is shown no notes: it can search for them. */
  const nearest = Effect.fnUntraced(
    function* (said: ReadonlyArray<string>) {
      if (user === null) return null
      const { isSensitive, recollection } = yield* load
      const { search } = yield* memory
      const found = yield* Effect.forEach(said.slice(0, maxSaid), (text) =>
        search(
          { user, hold: null, project },
          { text: text.slice(0, longestSaid), limit: nearEach, tags: [], kinds: [] }
        )
      )
      const all = new Map(found.flatMap((one) => one.notes.map(({ note }) => [note.noteId, note] as const)))
      const open = [...all.values()].filter(({ text }) => !isSensitive(text))
      // Shows full ids, so that the reflection changes the right note.
      const lines = open.map((note) => ({ note, shortId: note.noteId }))
      return recollection(lines, maxNearCharacters)
    },
    (finding) => Effect.orElseSucceed(finding, () => null)
  )

  const recalled = new Set<string>()
  const standing = StandingNotes.make(notes)
  const preferences = Effect.gen(function* () {
    const maxLength = settings.preferenceTokens * Tokens.charactersPerToken
    if (user === null || maxLength === 0) return null
    const found = yield* standing({ user, hold: null, project }, maxLength)
    for (const noteId of found?.noteIds ?? []) recalled.add(noteId)
    return found === null ? null : { text: found.text, untrusted: false }
  }).pipe(Effect.orElseSucceed(() => null))

  /** Searches by words first: if no note shares a word with the message, nothing more is loaded. */
  const recall = Effect.fnUntraced(
    function* (message: string) {
      const maxLength = settings.recallTokens * Tokens.charactersPerToken
      if (user === null || maxLength === 0) return null
      const place = { user, hold: null, project }
      const words = yield* notes.search(place, { text: message, limit: 1, tags: [], kinds: [] })
      if (words.length === 0) return null
      const { recollection } = yield* load
      const found = recollection(yield* (yield* memory).bearing(place, message, recalled), maxLength)
      for (const noteId of found?.noteIds ?? []) recalled.add(noteId)
      return found
    },
    (recalling) => Effect.orElseSucceed(recalling, () => null)
  )

  return Memories.of({
    recall,
    preferences,
    provideReads: (context) => ToolContext.provide(context, Capability.MemoryRead, perCall(read("turn"))),
    reflecting: ToolContext.provide(
      ToolContext.provide(ToolContext.empty("Branch"), Capability.MemoryRead, perCall(read("reflection"))),
      Capability.MemoryWrite,
      perCall(write("reflection"))
    ),
    nearest,
    keepReflection,
    provideWrites: (context) =>
      ToolContext.provide(
        ToolContext.provide(
          ToolContext.provide(context, Capability.MemoryWrite, perCall(write("turn"))),
          Capability.Scratchpad,
          perCall(scratchpad)
        ),
        Capability.History,
        perCall(history)
      ),
    settle: (main, exit) => {
      const result = Exit.isSuccess(exit) ? exit.value : null
      if (Exit.isSuccess(exit) && result === null) return Effect.void
      if (result?.status === "suspended") return Effect.void
      return end(main, result?.status === "completed" ? "Keep" : "Drop")
    },
    keep: (main) => end(main, "Keep"),
    // Only a search of notes loads the rest of the memory package.
    indexSaid: Effect.promise(() => import("@bough/memory/Conversations")).pipe(
      Effect.flatMap(({ make }) => make(Context.get(stores, ConversationIndex.ConversationIndex)).index("more")),
      Effect.ignore
    )
  })
})
