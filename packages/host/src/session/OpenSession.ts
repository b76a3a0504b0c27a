/** Opens or resumes a session with everything that it needs: its agent and those below it, saved rules, memory, reflection. */
import { type Session as SessionData, ToolError } from "@bough/protocol"
import type { NoteIndex } from "@bough/memory"
import { Channel, Model, type Reflection, Session, type Tree } from "@bough/runtime"
import type { SessionKind } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import type { Settings } from "../config/Settings.ts"
import type { HostContext } from "../HostContext.ts"
import * as Memory from "../memory/Memories.ts"
import * as ModelChoice from "../model/ModelChoice.ts"
import * as SavedRules from "../rules/SavedRules.ts"
import * as FindSession from "./FindSession.ts"
import * as KindTools from "./KindTools.ts"
import * as SessionAgent from "./SessionAgent.ts"
import * as SessionCapabilities from "./SessionCapabilities.ts"
import * as SessionSnapshots from "./SessionSnapshots.ts"
import { withMemory } from "./SessionWithMemory.ts"

export interface SessionOpening {
  readonly which: FindSession.SessionTarget
  readonly kind: SessionData.Kind
  readonly model: Model.Model["Service"]
  readonly channel: Channel.Channel["Service"]
  /** Whether reflections may start; default: none do. */
  readonly reflects?: boolean
  /** Receives the progress of the index of notes, which is built in the background; default: it is dropped. */
  readonly onIndexing?: NoteIndex.Progress
  /** Receives sentences for the user; default: they are dropped. */
  readonly onNotice?: (sentence: string) => void
  /** True while the program ends and the session goes on later: nothing is cancelled then. Default: never. */
  readonly isLeaving?: () => boolean
}

/** Opens the session until the scope closes. */
export const open = Effect.fnUntraced(function* (host: HostContext, settings: Settings, opening: SessionOpening) {
  const sessionId = yield* FindSession.find(opening.which, settings.workspaceRoot)
  const memories = yield* Memory.make(settings, opening.onIndexing)
  const snapshots = yield* SessionSnapshots.make(settings, SessionCapabilities.ownPlaces(settings))
  const scope = yield* Effect.scope
  const agentOf = (kind: SessionData.Kind) =>
    SessionAgent.make(host, settings, kind).pipe(
      Effect.provideService(Scope.Scope, scope),
      Effect.provideService(Memory.Memories, memories),
      Effect.provideService(SessionSnapshots.Current, snapshots)
    )
  const childAgent: Tree.ChildAgent = (kind) =>
    Effect.mapError(agentOf(kind), ({ hint, message }) => new ToolError.ExecutionError({ message, hint }))
  const agent = yield* agentOf(opening.kind)
  const { dataDirectory, workspaceRoot } = settings
  const savedRules = SavedRules.port({ dataDirectory, workspaceRoot, registry: KindTools.ruledTools(host.packs) })
  const tools = reflectionTools(host, settings, opening)
  const reflection =
    tools === null
      ? null
      : yield* reflectionAgent(host, settings, { opening, tools }).pipe(
          Effect.provideService(Memory.Memories, memories)
        )
  const { isLeaving = () => false } = opening
  const session = yield* Session.open({
    agent,
    sessionId,
    childAgent,
    savedRules,
    isLeaving,
    ...(reflection === null ? {} : { reflection: Effect.succeed(reflection) })
  }).pipe(Effect.provideService(Model.Model, opening.model), Effect.provideService(Channel.Channel, opening.channel))
  const reflectsWith = reflection === null ? null : (reflection.model ?? opening.model).name
  return { ...withMemory(session, memories, { isLeaving, reflectsWith }), snapshots }
})

/** Null: no reflections. A model that follows rules cannot judge what to keep, and notes belong to a user. */
const reflectionTools = (
  { packs }: HostContext,
  { environment }: Settings,
  { model, reflects }: SessionOpening
): SessionKind.KindTools | null =>
  reflects === true && environment.user !== null && !model.name.startsWith("offline/")
    ? (packs.reflection ?? null)
    : null

const reflectionAgent = Effect.fnUntraced(function* (
  host: HostContext,
  settings: Settings,
  { opening, tools }: { readonly opening: SessionOpening; readonly tools: SessionKind.KindTools }
) {
  const { model, notice } = yield* ModelChoice.forReflection(settings, opening.model)
  if (notice !== null) opening.onNotice?.(notice)
  const agent: Reflection.Reflecting = yield* SessionAgent.makeReflecting(host, settings, { tools, model })
  return agent
})
