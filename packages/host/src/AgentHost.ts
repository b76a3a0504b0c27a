/**
 * Opens configured agent sessions for one user of an app. A host is a stateless value that reads nothing of the process,
 * so many hosts can run side by side without seeing each other. Why: adr/0062-a-host-package-without-the-process.md.
 */
import type { NoteIndex } from "@bough/memory"
import type { Session } from "@bough/protocol"
import { type BlobStore, type Channel, Host, type SessionStore } from "@bough/runtime"
import type { Capability, ConversationIndex, NoteStore, ScratchpadStore } from "@bough/tool"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Scope from "effect/Scope"
import * as Home from "./config/Home.ts"
import type { AskTrust } from "./config/ProjectSettings.ts"
import * as Settings from "./config/Settings.ts"
import type { HostContext } from "./HostContext.ts"
import { failed } from "./HostFailure.ts"
import * as ModelChoice from "./model/ModelChoice.ts"
import type { Packs, PrebuiltSchemas, MissingCapabilityMessage } from "./Packs.ts"
import * as OpenSession from "./session/OpenSession.ts"
import * as RecordedMode from "./session/RecordedMode.ts"
import * as SessionMode from "./session/SessionMode.ts"

export type AgentHost = HostContext

/** The stores that a session needs: one layer of `@bough/store-sqlite` provides all of them. */
export type Stores =
  | SessionStore.SessionStore
  | BlobStore.BlobStore
  | NoteStore.NoteStore
  | ScratchpadStore.ScratchpadStore
  | ConversationIndex.ConversationIndex

export interface HostOptions<P extends Packs, Provided extends ReadonlyArray<Capability.Provision>> {
  /** The name of the program, as the user calls it. */
  readonly name: string
  /** Variables, folders and user. The folders determine the paths of configuration and data: see `dataDirectory`. */
  readonly environment: Settings.HostEnvironment
  /**
   * The tools of each kind of session. Tools with further requirements than Bough's capabilities do not compile without
   * `provide`.
   */
  readonly packs: P & MissingCapabilityMessage<P, NoInfer<Provided>>
  /** Capabilities that the packs need and Bough does not provide, each made by `Capability.provide`. */
  readonly provide?: Provided
  /** JSON Schemas of arguments by tool name, so that opening a session need not derive them. */
  readonly schemas?: PrebuiltSchemas
}

export const make = <const P extends Packs, const Provided extends ReadonlyArray<Capability.Provision> = readonly []>({
  environment,
  name,
  packs,
  provide,
  schemas
}: HostOptions<P, Provided>): AgentHost => ({
  name,
  environment,
  packs,
  provide: provide ?? [],
  schemas: schemas ?? {}
})

/** The folder of the user's sessions, notes, rules and trust decisions. Its parent need not exist. */
export const dataDirectory = ({ environment }: AgentHost): string => Home.dataDirectory(environment)

/** Values that take precedence over the configuration files. */
export type Overrides = Partial<Settings.SettingsOverrides>

/**
 * Reads the settings of a session: the overrides, then variables, then the project's files if the user trusts them,
 * then the user's own file. `askTrust` asks the user about files of the project that are new or changed; null: no user
 * can be asked, and such files are ignored with a notice.
 */
export const settings = (host: AgentHost, overrides: Overrides = {}, askTrust: AskTrust = null) =>
  Settings.load(host.environment, { ...Settings.noOverrides, ...overrides }, askTrust)

export interface ServingOptions {
  /** Default: the model in the settings, else one for which the variables have a key, else the offline planner. */
  readonly model?: ModelChoice.Model
  /** Wraps the chosen model, for example to count its calls; default: unchanged. */
  readonly wrapModel?: (model: ModelChoice.Model) => ModelChoice.Model
  /** True if reflections may start; default: as in the settings, else false. */
  readonly reflects?: boolean
  /**
   * Receives the progress of the index of notes, which is built in the background; default: progress is not reported.
   */
  readonly onIndexing?: NoteIndex.Progress
  /** Receives sentences for the user, such as project files that are ignored; default: they are dropped. */
  readonly onNotice?: (sentence: string) => void
}

export interface SessionOptions extends ServingOptions {
  /** Receives events, and asks the user for approvals if it can. */
  readonly channel: Channel.Channel["Service"]
  /** The result of `settings`; default: the current configuration, without overrides. */
  readonly settings?: Settings.Settings
  /** The id of the session to resume, or a prefix of it; default: a new session. */
  readonly session?: string
  /** Resumes the newest conversation of the workspace; default: false. */
  readonly continue?: boolean
  /** Default: a Main. */
  readonly kind?: Session.Kind
  /** True if the program ends but the session will continue later: nothing is cancelled. Default: never. */
  readonly isLeaving?: () => boolean
}

/** Opens or resumes a session until the scope closes. */
export const open = Effect.fnUntraced(function* (host: AgentHost, options: SessionOptions) {
  const configured = options.settings ?? (yield* settings(host))
  const { channel, isLeaving, kind = "Main", session = null } = options
  return yield* OpenSession.open(host, configured, {
    ...(yield* assembly(configured, options)),
    kind,
    channel,
    which: { session, continue: options.continue ?? false },
    ...(isLeaving === undefined ? {} : { isLeaving })
  })
})

export interface ServedSession extends ServingOptions {
  /** True: the user is not the operator of the machine (`SettingsOverrides.confined`). Default: false. */
  readonly confined?: boolean
  /** Values for this session that take precedence over the configuration, such as a model that was chosen for it. */
  readonly overrides?: Effect.Effect<Pick<Overrides, "model" | "effort">>
  /** The host of the session's user. */
  readonly host: AgentHost
  /**
   * Names of agents that the app provides without a definition. A session of another agent is served only if the agent
   * is defined. Default: every agent is served.
   */
  readonly knownAgents?: ReadonlySet<string>
}

/**
 * Makes the `serve` of the runtime's `Host`, for an app that runs stored sessions of many users. `find` gives the host
 * of a session's user; null: another app serves the session. Everything that is made for a session ends with it.
 */
export const serve = (find: (session: Session.Summary) => ServedSession | null) =>
  Effect.map(Effect.context<Stores>(), (context): Host.HostOptions["serve"] => (session) => {
    const served = find(session)
    if (served === null) return Effect.succeed(null)
    return assembleFor(session, served).pipe(
      // The scope belongs to the session, not to the caller.
      Effect.provideContext(Context.omit(Scope.Scope)(context as Context.Context<Stores | Scope.Scope>)),
      Effect.mapError(({ hint, message }) => {
        const reason = hint === "" ? message : `${message} — ${hint}`
        return new Host.NotServed({ sessionId: session.sessionId, message: reason })
      })
    )
  })

const assembleFor = Effect.fnUntraced(function* (
  { agent: named, kind, sessionId, workspaceRoot }: Session.Summary,
  { confined = false, host, knownAgents, overrides = Effect.succeed({}), ...options }: ServedSession
) {
  const hostOverrides = { ...(yield* overrides), cwd: workspaceRoot, confined }
  const unnarrowed = yield* settings(host, hostOverrides)
  // An app may name agents that differ only in their model; these have no definition.
  const isDefined =
    unnarrowed.extensions.agents.some(({ name }) => name === named) ||
    (knownAgents !== undefined && !knownAgents.has(named))
  const configured = isDefined ? yield* settings(host, { ...hostOverrides, agent: named }) : unnarrowed
  const recorded = yield* Effect.mapError(RecordedMode.read(sessionId), ({ message }) => failed(message, ""))
  const mode = SessionMode.make(recorded ?? "auto")
  const assembling = { ...(yield* assembly(configured, options)), kind, mode }
  // Rules for single agents name the session's agent, which the settings do not define in every app.
  const namedHost = { ...host, name: named }
  const { agent, childAgent, ...assembled } = yield* OpenSession.assemble(namedHost, configured, assembling)
  // Children that earlier versions stored have the program's name, which stands for the agent of their parent.
  const below = (name: string | null): string | null => (name === host.name ? null : name)
  return {
    ...assembled,
    agent: { ...agent, model: assembling.model },
    ...(childAgent === undefined ? {} : { childAgent: withNames(childAgent, below) })
  }
})

const withNames =
  (childAgent: NonNullable<Host.ServedSession["childAgent"]>, toName: (name: string | null) => string | null) =>
  (...[kind, parent, name]: Parameters<typeof childAgent>) =>
    childAgent(kind, parent, toName(name))

const assembly = Effect.fnUntraced(function* (configured: Settings.Settings, options: ServingOptions) {
  const { model, onIndexing, onNotice, reflects = configured.memory.reflect ?? false, wrapModel = identity } = options
  for (const notice of configured.notices) onNotice?.(notice)
  return {
    model: wrapModel(model ?? (yield* configuredModel(configured))),
    modelOf: (settings: Settings.Settings) => Effect.map(configuredModel(settings), wrapModel),
    reflects,
    ...(onIndexing === undefined ? {} : { onIndexing }),
    ...(onNotice === undefined ? {} : { onNotice })
  }
})

const configuredModel = Effect.fnUntraced(function* (configured: Settings.Settings) {
  const chosen = yield* ModelChoice.fromSettings(configured)
  yield* ModelChoice.requirePrice(configured, chosen)
  return chosen.model
})
