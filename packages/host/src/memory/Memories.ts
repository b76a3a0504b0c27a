/**
 * The memory of a session and its descendants. The memory package is loaded with the first call of one of its tools.
 * The writes of a turn are staged until the turn ends, and committed only if it succeeds.
 */
import type { NoteIndex } from "@bough/memory"
import type * as Memory from "@bough/memory/Memory"
import { Note, type Session, type SessionResult } from "@bough/protocol"
import { SessionHistory, SessionStore, type Turn } from "@bough/runtime"
import { Capability, ConversationIndex, NoteStore, type ScratchpadStore, ToolContext } from "@bough/tool"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { Settings } from "../config/Settings.ts"
import * as WorkspaceRoot from "../project/WorkspaceRoot.ts"
import * as LazyCapabilities from "./LazyCapabilities.ts"
import * as NoteRecall from "./NoteRecall.ts"
import * as StagedMemory from "./StagedMemory.ts"

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
  NoteRecall.NoteRecall & {
    readonly provideReads: (context: ToolContext.ToolContext) => ToolContext.ToolContext
    readonly provideWrites: (context: ToolContext.ToolContext) => ToolContext.ToolContext
    /** The capabilities of a reflection. */
    readonly reflecting: ToolContext.ToolContext
    /**
     * Runs a reflection on this Main; its notes are committed if it completes, else discarded. Null: there was no
     * reflection.
     */
    readonly keepReflection: <E, R>(
      main: Session.SessionId,
      reflection: Effect.Effect<SessionResult.SessionResult | null, E, R>
    ) => Effect.Effect<ReflectionWithNotes | null, E, R>
    /** Commits or discards the staged writes of a turn of this Main, depending on how the turn ended. */
    readonly endStaging: (
      main: Session.SessionId,
      exit: Exit.Exit<Turn.TurnResult | null, unknown>
    ) => Effect.Effect<void>
    /** Commits the staged writes of a single call. */
    readonly keep: (main: Session.SessionId) => Effect.Effect<void>
    /** Indexes some of the messages since the last run; a search indexes the rest. */
    readonly indexMessages: Effect.Effect<void>
  }
>()("@bough/host/Memories") {}

const perCall = <Service>(
  make: ToolContext.ProvidedService<Service>["make"]
): ToolContext.ProvidedService<Service> => ({
  make,
  reach: "Confined",
  preconditions: []
})

const ignoreProgress: NoteIndex.Progress = () => {}

/** Makes the memory of a session. `onIndexing` receives the progress of the index, which is built in the background. */
export const make = Effect.fnUntraced(function* (settings: Settings, onIndexing: NoteIndex.Progress = ignoreProgress) {
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
      Effect.flatMap(load, ({ scratchpads: loadedScratchpads }) => loadedScratchpads),
      stores
    )
  )

  const endStaging = (main: string, decision: "Keep" | "Drop", work: StagedMemory.StagingPhase = "turn") =>
    StagedMemory.endStaging(settings.dataDirectory, notes, { key: StagedMemory.stagingKey(main, work), how: decision })

  const { user } = settings.environment
  const project = WorkspaceRoot.projectOf(settings.workspace.root)
  const noteScope = user === null ? null : { user, hold: null, project }
  const notesOf = ({ memoryIds }: SessionResult.SessionResult) =>
    noteScope === null
      ? Effect.succeed([])
      : Effect.forEach([...new Set(memoryIds)], (noteId) => notes.get(noteScope, Note.NoteId.make(noteId))).pipe(
          Effect.map((found) => found.filter((note) => note !== null)),
          Effect.orElseSucceed(() => [])
        )

  return Memories.of({
    ...(noteScope === null ? NoteRecall.none : NoteRecall.make({ settings, notes, scope: noteScope, load, memory })),
    provideReads: (context) =>
      ToolContext.provide(context, Capability.MemoryRead, perCall(LazyCapabilities.read(memory, "turn"))),
    reflecting: ToolContext.provide(
      ToolContext.provide(
        ToolContext.empty("Branch"),
        Capability.MemoryRead,
        perCall(LazyCapabilities.read(memory, "reflection"))
      ),
      Capability.MemoryWrite,
      perCall(LazyCapabilities.write(memory, "reflection"))
    ),
    keepReflection: (main, reflection) =>
      // Discards changes that an earlier reflection left staged because its process died.
      endStaging(main, "Drop", "reflection").pipe(
        Effect.andThen(reflection),
        Effect.onExit((exit) => endStaging(main, isCompleted(exit) ? "Keep" : "Drop", "reflection")),
        Effect.flatMap((result) => {
          if (result === null) return Effect.succeed(null)
          const saved = result.status === "Completed" ? notesOf(result) : Effect.succeed([])
          return Effect.map(saved, (found) => ({ result, notes: found }))
        })
      ),
    provideWrites: (context) =>
      ToolContext.provide(
        ToolContext.provide(
          ToolContext.provide(context, Capability.MemoryWrite, perCall(LazyCapabilities.write(memory, "turn"))),
          Capability.Scratchpad,
          perCall(LazyCapabilities.scratchpad(scratchpads))
        ),
        Capability.History,
        perCall(history)
      ),
    endStaging: (main, exit) => {
      const result = Exit.isSuccess(exit) ? exit.value : null
      if (Exit.isSuccess(exit) && result === null) return Effect.void
      if (result?.status === "suspended") return Effect.void
      return endStaging(main, result?.status === "completed" ? "Keep" : "Drop")
    },
    keep: (main) => endStaging(main, "Keep"),
    // Only a search of notes loads the rest of the memory package.
    indexMessages: Effect.promise(() => import("@bough/memory/Conversations")).pipe(
      Effect.flatMap(({ make }) => make(Context.get(stores, ConversationIndex.ConversationIndex)).index("more")),
      Effect.ignore
    )
  })
})

const isCompleted = (exit: Exit.Exit<SessionResult.SessionResult | null, unknown>): boolean =>
  Exit.isSuccess(exit) && exit.value?.status === "Completed"
