/**
 * Opens or resumes a session with everything that it needs: its agent and the agents of its descendants, saved rules,
 * memory, reflection.
 */
import type { Ports } from "@bough/mcp/ports"
import type { NoteIndex } from "@bough/memory"
import { type Session as SessionData, ToolError } from "@bough/protocol"
import { Channel, type Host, Model, type Reflection, Session, type Tree } from "@bough/runtime"
import { BackgroundCommands, type SessionVariables } from "@bough/sandbox"
import type { SessionKind } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import type { Settings } from "../config/Settings.ts"
import type { HostContext } from "../HostContext.ts"
import type { HostFailure } from "../HostFailure.ts"
import * as Memory from "../memory/Memories.ts"
import * as ModelChoice from "../model/ModelChoice.ts"
import * as SavedRules from "../rules/SavedRules.ts"
import * as ChildAgents from "./ChildAgents.ts"
import * as FindSession from "./FindSession.ts"
import { keepMode } from "./KeepMode.ts"
import * as KindTools from "./KindTools.ts"
import * as RecordedMode from "./RecordedMode.ts"
import * as SessionAgent from "./SessionAgent.ts"
import * as SessionCapabilities from "./SessionCapabilities.ts"
import * as SessionLanguageServers from "./SessionLanguageServers.ts"
import * as SessionMode from "./SessionMode.ts"
import * as SessionServers from "./SessionServers.ts"
import * as SessionSnapshots from "./SessionSnapshots.ts"
import * as SessionVault from "./SessionVault.ts"
import { type SessionWithMemory, withMemory } from "./SessionWithMemory.ts"

export interface SessionAssembly {
  readonly kind: SessionData.Kind
  readonly model: Model.Model["Service"]
  /** Makes the model of a child whose agent names another model; default: the model of the child's settings. */
  readonly modelOf?: (settings: Settings) => Effect.Effect<Model.Model["Service"], HostFailure | Model.ModelError>
  /** The mode of all sessions of the tree; null or absent: the configured policy alone decides. */
  readonly mode?: SessionMode.SessionMode | null
  /** True if reflections may start; default: false. */
  readonly reflects?: boolean
  /** Receives the progress of the index of notes, which is built in the background; default: it is dropped. */
  readonly onIndexing?: NoteIndex.Progress
  /** Shows the user an MCP server's request for input; null or absent: each request is declined at once. */
  readonly elicit?: Ports["elicit"] | null
  /** The commands that continue after their calls; default: those of this session alone, until its scope closes. */
  readonly background?: BackgroundCommands.BackgroundCommands
  /** Receives sentences for the user; default: they are dropped. */
  readonly onNotice?: (sentence: string) => void
}

export interface SessionOpening extends Omit<SessionAssembly, "mode"> {
  readonly which: FindSession.SessionTarget
  readonly channel: Channel.Channel["Service"]
  /** Default: the mode that the session records. */
  readonly mode?: SessionMode.SessionMode
  /** False: `mode` is newer than the mode that the session records, which replaces it otherwise. Default: true. */
  readonly restoresMode?: boolean
  /**
   * True while the program ends although the session is to continue later: nothing is cancelled then. Default: never.
   */
  readonly isLeaving?: () => boolean
  /** True if this process opens the session again at once, with the same `background`: its commands then continue. */
  readonly keepsCommands?: () => boolean
}

/** The options of `Session.open` and of the runtime's `Host`, with the memory of the turns. */
interface AssembledSession extends Host.ServedSession {
  readonly wrap: (session: Session.Session, isLeaving: () => boolean) => SessionWithMemory
}

/** Makes the parts with which a session of the user is opened, until the scope closes. */
export const assemble = Effect.fnUntraced(function* (
  host: HostContext,
  settings: Settings,
  assembly: SessionAssembly
): Effect.fn.Return<AssembledSession, HostFailure, Scope.Scope | Memory.Stores> {
  const memories = yield* Memory.make(settings, assembly.onIndexing)
  const vault = yield* SessionVault.make(settings)
  const snapshots = yield* SessionSnapshots.make(
    settings,
    SessionSnapshots.recordedIn(settings),
    SessionCapabilities.ownPlaces(settings)
  )
  const scope = yield* Effect.scope
  const background = assembly.background ?? (yield* BackgroundCommands.make)
  const variables: SessionVariables.OwnVariables = new Map()
  const servers = yield* SessionServers.make(settings, {
    onNotice: assembly.onNotice ?? (() => {}),
    ...(assembly.elicit === undefined || assembly.elicit === null ? {} : { elicit: assembly.elicit })
  })
  const languageServers = yield* SessionLanguageServers.make(settings, {
    onNotice: assembly.onNotice ?? (() => {}),
    sandbox: SessionCapabilities.sandbox(settings)
  })
  const agentOf = (kind: SessionData.Kind, narrowed = settings) =>
    SessionAgent.make(host, narrowed, { kind, mode: assembly.mode ?? null }).pipe(
      Effect.provideService(Scope.Scope, scope),
      Effect.provideService(Memory.Memories, memories),
      Effect.provideService(SessionSnapshots.Current, snapshots),
      Effect.provideService(SessionVault.Current, vault),
      Effect.provideService(SessionCapabilities.Background, background),
      Effect.provideService(SessionCapabilities.Variables, variables),
      Effect.provideService(SessionServers.Current, servers),
      Effect.provideService(SessionLanguageServers.Current, languageServers)
    )
  const modelOf = assembly.modelOf ?? modelOfSettings
  const modelNamed = (model: string) =>
    Effect.mapError(modelOf({ ...settings, model: { ...settings.model, name: model } }), toToolError)
  const childAgent: Tree.ChildAgent = Effect.fnUntraced(function* (kind, parent, named) {
    const lineage = ChildAgents.lineageOf(parent, named)
    const narrowed = yield* ChildAgents.narrowAll(settings, lineage)
    const childAgent = { ...(yield* Effect.mapError(agentOf(kind, narrowed), toToolError)), modelNamed }
    if (lineage.length === 0) return childAgent
    const model =
      narrowed.model.name === settings.model.name ? null : yield* Effect.mapError(modelOf(narrowed), toToolError)
    return { ...childAgent, narrowedBy: lineage, ...(model === null ? {} : { model }) }
  })
  const agent = { ...(yield* agentOf(assembly.kind)), modelNamed }
  const {
    dataDirectory,
    workspace: { root: workspaceRoot }
  } = settings
  const savedRules = SavedRules.port({
    dataDirectory,
    workspaceRoot,
    registry: KindTools.ruledTools(host.packs),
    ...(servers === null ? {} : { live: SessionServers.liveTools(servers, "Main") })
  })
  const tools = reflectionTools(host, settings, assembly)
  const reflection =
    tools === null
      ? null
      : yield* reflectionAgent(host, settings, { assembly, tools }).pipe(
          Effect.provideService(Memory.Memories, memories),
          Effect.provideService(SessionVault.Current, vault)
        )
  const reflectsWith = reflection === null ? null : (reflection.model ?? assembly.model).name
  return {
    agent,
    childAgent,
    savedRules,
    ...(reflection === null ? {} : { reflection: Effect.succeed(reflection) }),
    wrap: (session, isLeaving) => {
      // Servers have their own state, and variables exist only in memory.
      const canUnload = () =>
        servers === null && [...variables.values()].every(({ size }) => size === 0) && session.canUnload()
      return { ...withMemory(session, memories, { isLeaving, reflectsWith, servers, snapshots }), canUnload }
    }
  }
})

const modelOfSettings = (settings: Settings) => Effect.map(ModelChoice.fromSettings(settings), ({ model }) => model)

const toToolError = ({ hint, message }: { readonly message: string; readonly hint?: string }) =>
  new ToolError.ExecutionError({ message, ...(hint === undefined || hint === "" ? {} : { hint }) })

/** Opens the session; it is closed with the scope. */
export const open = Effect.fnUntraced(function* (host: HostContext, settings: Settings, opening: SessionOpening) {
  const sessionId = yield* FindSession.find(opening.which, settings.workspace.root, {
    name: settings.agent?.name ?? host.name,
    isChosen: settings.agent !== null
  })
  const recorded = sessionId === null ? null : yield* RecordedMode.read(sessionId)
  const mode = currentMode(opening, recorded)
  const { wrap, ...options } = yield* assemble(host, settings, { ...opening, mode })
  const { isLeaving = () => false, keepsCommands = () => false } = opening
  const session = yield* Session.open({ ...options, sessionId, isLeaving, keepsCommands }).pipe(
    Effect.provideService(Model.Model, opening.model),
    Effect.provideService(Channel.Channel, opening.channel)
  )
  yield* keepMode(mode, session, recorded)
  return wrap(session, isLeaving)
})

/** Returns the mode of a session that is about to open. */
const currentMode = (
  { mode, restoresMode = true }: SessionOpening,
  recorded: SessionMode.Mode | null
): SessionMode.SessionMode => {
  if (mode === undefined) return SessionMode.make(recorded ?? "auto")
  if (recorded !== null && restoresMode) mode.set(recorded)
  return mode
}

/**
 * Makes the reflection; null if there are no reflections. A scripted model cannot judge what to remember, and notes
 * need a user.
 */
const reflectionTools = (
  { packs }: HostContext,
  { environment }: Settings,
  { model, reflects }: SessionAssembly
): SessionKind.KindTools | null =>
  reflects === true && environment.user !== null && !model.name.startsWith("offline/")
    ? (packs.reflection ?? null)
    : null

const reflectionAgent = Effect.fnUntraced(function* (
  host: HostContext,
  settings: Settings,
  { assembly, tools }: { readonly assembly: SessionAssembly; readonly tools: SessionKind.KindTools }
) {
  const { model, notice } = yield* ModelChoice.forReflection(settings, assembly.model)
  if (notice !== null) assembly.onNotice?.(notice)
  const agent: Reflection.ReflectingAgent = yield* SessionAgent.makeReflecting(host, settings, { tools, model })
  return agent
})
