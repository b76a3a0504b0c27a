/** Finds the session that the command line names, and opens it with everything that it needs. */
import { type Session as SessionData, ToolError } from "@bough/protocol"
import type { NoteIndex } from "@bough/memory"
import { Channel, Model, Session, SessionStore, type Tree, type Turn } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import { existsSync } from "node:fs"
import * as SessionAgent from "./SessionAgent.ts"
import type { Settings } from "../config/Settings.ts"
import * as Memory from "../memory/Memories.ts"
import type { HostContext } from "../HostContext.ts"
import * as SavedRules from "../rules/SavedRules.ts"
import { invalid } from "../HostFailure.ts"
import * as IdPrefix from "./IdPrefix.ts"
import * as ModelChoice from "../model/ModelChoice.ts"

/** Which session; both null and false: a new one. A session that is named goes before the newest one. */
export interface SessionTarget {
  readonly session: string | null
  readonly continue: boolean
}

export interface SessionOpening {
  readonly which: SessionTarget
  readonly kind: SessionData.Kind
  readonly model: Model.Model["Service"]
  readonly channel: Channel.Channel["Service"]
  /** Whether anybody looks back on it; default: nobody. */
  readonly reflects?: boolean
  /** Told how far the index of notes is that is built in the background; default: nobody. */
  readonly onIndexing?: NoteIndex.Progress
  /** Receives sentences for the user; default: they are dropped. */
  readonly onNotice?: (sentence: string) => void
  /** True while the program ends and the session goes on later: nothing is cancelled then. Default: never. */
  readonly isLeaving?: () => boolean
}

/** A session and what is remembered of it. */
export interface SessionWithMemory extends Session.Session {
  /** The model that looks back on it, by name; null: nobody does. */
  readonly reflectsWith: string | null
  /** Looks back on it. Null: nobody did, or the journal failed, which shows at the next turn. */
  readonly reflectNow: Effect.Effect<Memory.ReflectionWithNotes | null>
  /** Indexes what was said, in part, so that a later search has less to do. */
  readonly indexSaid: Effect.Effect<void>
}

export const open = Effect.fnUntraced(function* (host: HostContext, settings: Settings, opening: SessionOpening) {
  const sessionId = yield* resolve(opening.which, settings)
  const memories = yield* Memory.make(settings, opening.onIndexing)
  const agent = yield* SessionAgent.make(host, settings, opening.kind).pipe(
    Effect.provideService(Memory.Memories, memories)
  )
  const scope = yield* Effect.scope
  const childAgent: Tree.ChildAgent = (kind) =>
    SessionAgent.make(host, settings, kind).pipe(
      Effect.mapError(({ hint, message }) => new ToolError.ExecutionError({ message, hint })),
      Effect.provideService(Scope.Scope, scope),
      Effect.provideService(Memory.Memories, memories)
    )
  const { dataDirectory, workspaceRoot } = settings
  const savedRules = SavedRules.port({ dataDirectory, workspaceRoot, registry: SessionAgent.ruledTools(host.packs) })
  const reflection = isReflected(opening, settings) ? (host.packs.reflection ?? null) : null
  const reflecting =
    reflection === null
      ? null
      : yield* SessionAgent.makeReflecting(host, settings, {
          tools: reflection,
          model: yield* reflectionModel(opening, settings)
        }).pipe(Effect.provideService(Memory.Memories, memories))
  const { isLeaving = () => false } = opening
  const session = yield* Session.open({
    agent,
    sessionId,
    childAgent,
    savedRules,
    isLeaving,
    ...(reflecting === null ? {} : { reflection: Effect.succeed(reflecting) })
  }).pipe(Effect.provideService(Model.Model, opening.model), Effect.provideService(Channel.Channel, opening.channel))
  const reflectsWith = reflecting === null ? null : (reflecting.model ?? opening.model).name
  return remembering(session, memories, { isLeaving, reflectsWith })
})

const reflectionModel = ({ model, onNotice }: SessionOpening, settings: Settings) =>
  Effect.map(ModelChoice.forReflection(settings, model), (chosen) => {
    if (chosen.notice !== null) onNotice?.(chosen.notice)
    return chosen.model
  })

/** A model that follows rules has no judgement of what to keep; without a user nothing is. */
const isReflected = ({ model, reflects }: SessionOpening, { environment }: Settings): boolean =>
  reflects === true && environment.user !== null && !model.name.startsWith("offline/")

/**
 * What a turn remembered is kept if the turn ends well, and waits with a turn that is left open; what a single call did, at
 * once.
 */
const remembering = (
  session: Session.Session,
  memories: Memory.Memories["Service"],
  { isLeaving, reflectsWith }: { readonly isLeaving: () => boolean; readonly reflectsWith: string | null }
): SessionWithMemory => {
  const settled = <A extends Turn.TurnResult | null, E>(turn: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.onExit(turn, (exit) => (isLeaving() ? Effect.void : memories.settle(session.sessionId, exit)))
  return {
    ...session,
    run: (input) => settled(session.run(input)),
    resume: settled(session.resume),
    reflectNow: Effect.orElseSucceed(memories.keepReflection(session.sessionId, session.reflect), () => null),
    reflectsWith,
    indexSaid: memories.indexSaid,
    call: (tool, argumentsText) => Effect.ensuring(session.call(tool, argumentsText), memories.keep(session.sessionId))
  }
}

/** Sessions that are looked through. */
const searched = 1_000

/** The id that was meant; null: a new session. */
const resolve = Effect.fnUntraced(function* (which: SessionTarget, settings: Settings) {
  if (which.session !== null) return yield* ofWorkspace(yield* byId(which.session), settings.workspaceRoot)
  if (!which.continue) return null
  return yield* newestIn(settings.workspaceRoot)
})

/** A session goes on where it began; one whose folder is gone, or has another name now, goes on here. */
const ofWorkspace = Effect.fnUntraced(function* (sessionId: SessionData.SessionId, workspaceRoot: string) {
  const store = yield* SessionStore.SessionStore
  const began = (yield* store.session(sessionId)).workspaceRoot
  if (began === workspaceRoot || !existsSync(began)) return sessionId
  return yield* invalid(
    `session ${sessionId} works in ${began}, not in ${workspaceRoot}`,
    `go there, or add --cwd ${began}`
  )
})

const newestIn = Effect.fnUntraced(function* (workspaceRoot: string) {
  const store = yield* SessionStore.SessionStore
  const newest = yield* newestConversation(store, workspaceRoot)
  return newest === null
    ? yield* invalid(`there is no session in ${workspaceRoot} yet`, "bough run begins one")
    : newest
})

/** Entries in which somebody has spoken, if anybody has. */
const beginning = 32

/** The newest session in which a person spoke: single calls are sessions too. */
const newestConversation = Effect.fnUntraced(function* (
  store: SessionStore.SessionStore["Service"],
  workspaceRoot: string
) {
  for (const { sessionId } of yield* store.list({ workspaceRoot, limit: searched })) {
    const entries = yield* store.entries(sessionId, 0, beginning)
    if (entries.some(({ body }) => body._tag === "UserMessage")) return sessionId
  }
  return null
})

/** The session that is named, or else the newest in which a person spoke. */
export const byIdOrNewest = (given: string | null, workspaceRoot: string) =>
  given === null ? newestIn(workspaceRoot) : byId(given)

const sessions: IdPrefix.IdListing<SessionData.Summary> = {
  idOf: ({ sessionId }) => sessionId,
  plural: "sessions",
  lists: "bough sessions lists them"
}

/** A session by its whole id or by a beginning that no other one has. */
export const byId = Effect.fnUntraced(function* (given: string) {
  const store = yield* SessionStore.SessionStore
  return yield* store.session(given).pipe(
    Effect.map(({ sessionId }) => sessionId),
    Effect.catchTag("SessionNotFound", (notFound) =>
      Effect.gen(function* () {
        const all = yield* store.list({ workspaceRoot: null, limit: searched })
        const found = yield* IdPrefix.findUnique(given, all, sessions)
        return found === null ? yield* notFound : found.sessionId
      })
    )
  )
})
