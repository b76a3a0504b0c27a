/** Makes the agent of one kind of session: its tools, capabilities, rules and instructions. */
import { Copies } from "@bough/dispatch"
import type { Session } from "@bough/protocol"
import { type Agent, type Model, type Reflection, SystemPrompt } from "@bough/runtime"
import { type Capability, type SessionKind, type Tool, ToolContext, Requirement, ToolPack } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Settings } from "../config/Settings.ts"
import * as Timeouts from "../config/Timeouts.ts"
import * as SessionHooks from "../hooks/SessionHooks.ts"
import type { HostContext } from "../HostContext.ts"
import { failed, type HostFailure, invalid } from "../HostFailure.ts"
import { Memories } from "../memory/Memories.ts"
import { configuredRules } from "../rules/ConfiguredRules.ts"
import * as ReadSkill from "../skills/ReadSkill.ts"
import * as AgentTools from "./AgentTools.ts"
import * as Backends from "./Backends.ts"
import { guidanceFor } from "./Guidance.ts"
import { coreTools, kinds, registryOf, ruledTools, toolsOf } from "./KindTools.ts"
import { redactionOf } from "./SecretSearch.ts"
import * as SessionCapabilities from "./SessionCapabilities.ts"
import * as SessionMode from "./SessionMode.ts"
import * as SessionPrompt from "./SessionPrompt.ts"
import * as SessionServers from "./SessionServers.ts"
import * as SessionSnapshots from "./SessionSnapshots.ts"
import * as SessionVault from "./SessionVault.ts"

interface AgentOptions {
  readonly kind: Session.Kind
  /** The mode of the tree; default: none. */
  readonly mode?: SessionMode.SessionMode | null
}

export const make = Effect.fnUntraced(function* (
  host: HostContext,
  settings: Settings,
  { kind, mode = null }: AgentOptions
) {
  const tools = yield* makeTools(host, settings, kind)
  const { context, live, registry } = tools
  const workspace = yield* workspaceOf(settings, kind)
  const redaction = (yield* SessionVault.Current)?.redaction ?? redactionOf(settings)
  const hooks = SessionHooks.make(settings, SessionCapabilities.sandbox(settings))
  const policy = { rules: yield* configuredRules(settings, registry), approve: settings.policy.approve }
  const policyNow = (current: SessionMode.SessionMode) => () =>
    SessionMode.policyIn(current.now(), policy, [...registry.values(), ...(live?.tools().values() ?? [])])
  const { snapshots } = workspace
  const agent: Agent.Agent = {
    name: settings.agent?.name ?? host.name,
    user: settings.environment.user,
    workspace,
    tools: tools.agentTools,
    prompt: SessionPrompt.make(settings, {
      kind,
      mode,
      redaction,
      memories: yield* Memories,
      guidance: guidanceFor(tools.kindTools),
      ready: tools.ready
    }),
    context: snapshots === undefined ? context : SessionSnapshots.withPrewarm(context, snapshots),
    ...(hooks === null ? {} : { hooks }),
    policy,
    ...(mode === null ? {} : { changeMode: changeMode(mode), currentPolicy: policyNow(mode) }),
    redaction,
    limits: settings.limits,
    addresses: settings.network.allow.flatMap(addressesOf),
    config: { execution: settings.sandbox.backend }
  }
  SystemPrompt.preload(agent, host.schemas)
  return agent
})

/** Makes the tools of a kind of session, and the capabilities that decide which of them are available. */
const makeTools = Effect.fnUntraced(function* (host: HostContext, settings: Settings, kind: Session.Kind) {
  const { packs } = host
  const readSkill = settings.extensions.skills.length === 0 ? null : ReadSkill.make(settings.extensions.skills)
  const registry = yield* registryFor(packs, settings, readSkill)
  const servers = yield* SessionServers.Current
  const provisions = servers === null ? host.provide : [...host.provide, ...servers.provisions]
  const context = yield* withOwnCapabilities(
    yield* SessionCapabilities.context(settings, kind),
    provisions,
    toolsOf(packs, kind)
  )
  const toolsFor = (one: Session.Kind) =>
    Backends.narrow(AgentTools.narrow(toolsOf(packs, one), settings.agent), context)
  const kindTools = toolsFor(kind)
  const live = servers === null ? null : AgentTools.narrowLive(SessionServers.liveTools(servers, kind), settings.agent)
  const unavailable: Agent.Agent["tools"]["unavailable"] = (name) => {
    const tool = registry.get(name)
    return tool === undefined
      ? (servers?.missing(name) ?? null)
      : Requirement.missing(tool, context, Backends.unmetRequirements(settings))
  }
  const agentTools: Agent.Agent["tools"] = {
    ...Timeouts.limitKindTools(readSkill === null ? kindTools : withTool(kindTools, readSkill), settings.timeouts),
    registry,
    core: coreTools(packs),
    kindsOf: (tool) => kinds.filter((one) => Object.hasOwn(toolsFor(one).pack.tools, tool)),
    unavailable,
    ...(packs.experiments === undefined ? {} : { experiments: packs.experiments }),
    ...(live === null ? {} : { live })
  }
  return { agentTools, context, kindTools, live, registry, ready: servers?.known ?? Effect.void }
})

/** Returns the tools of all kinds of session with their timeouts; fails if one of them or the agent is not valid. */
const registryFor = Effect.fnUntraced(function* (
  packs: HostContext["packs"],
  settings: Settings,
  readSkill: Tool.Any | null
) {
  const compiled = readSkill === null ? ruledTools(packs) : new Map(registryOf(packs)).set(readSkill.name, readSkill)
  const foreign = Copies.fault(compiled.values())
  if (foreign !== null) return yield* invalid(foreign, "")
  const registry = yield* Timeouts.applyTimeouts(compiled, settings.timeouts)
  yield* AgentTools.check(settings.agent, registry)
  return registry
})

/** Makes the agent's workspace. A Worker cannot write, so that it has neither snapshots nor commands. */
const workspaceOf = Effect.fnUntraced(function* (settings: Settings, kind: Session.Kind) {
  const snapshots = kind === "Worker" ? null : yield* SessionSnapshots.Current
  const commands = kind === "Worker" ? null : yield* SessionCapabilities.Background
  return {
    root: settings.workspace.root,
    commit: SessionCapabilities.commit(settings),
    ...(commands === null ? {} : { commands }),
    ...(snapshots === null ? {} : { snapshots })
  }
})

/** Makes the effect of a change of the mode that comes from the store. */
const changeMode =
  (mode: SessionMode.SessionMode) =>
  (name: string): void => {
    if (SessionMode.isMode(name)) mode.set(name, true)
  }

/** Adds the capabilities that the app provides. */
const withOwnCapabilities = (
  context: ToolContext.ToolContext,
  provisions: ReadonlyArray<Capability.Provision>,
  { pack }: SessionKind.KindTools
): Effect.Effect<ToolContext.ToolContext, HostFailure> =>
  Effect.mapError(
    Effect.fromResult(
      Result.try(() => ToolContext.provideAll(context, provisions, Object.values<Tool.Any>(pack.tools)))
    ),
    (thrown) => failed(messageOf(thrown), "check the capabilities that main() or AgentHost.make() provides", thrown)
  )

const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))

/** Makes the agent of reflections. It has only the memory: no instructions of the project, and no approvals. */
export const makeReflecting = Effect.fnUntraced(function* (
  host: HostContext,
  settings: Settings,
  { model, tools }: { readonly tools: SessionKind.KindTools; readonly model: Model.Model["Service"] | null }
): Effect.fn.Return<Reflection.ReflectingAgent, HostFailure, Memories> {
  const { nearest, reflecting: context } = yield* Memories
  const workspaceRoot = settings.workspace.root
  const registry = new Map(Object.entries<Tool.Any>(tools.pack.tools))
  const rules = yield* configuredRules(settings, ruledTools(host.packs))
  return {
    name: host.name,
    user: settings.environment.user,
    workspace: { root: workspaceRoot },
    tools: { ...tools, registry, core: new Set(registry.keys()) },
    context,
    ...(model === null ? {} : { model }),
    nearest,
    policy: { rules, approve: "deny" },
    redaction: (yield* SessionVault.Current)?.redaction ?? redactionOf(settings),
    prompt: { instructions: [] },
    limits: settings.limits,
    addresses: [],
    config: {}
  }
})

const withTool = ({ kind, pack }: SessionKind.KindTools, tool: Tool.Any): SessionKind.KindTools => ({
  kind,
  pack: ToolPack.merge(pack, ToolPack.make(tool))
})

/** Returns the URLs of a service that the operator opened, for both schemes. */
const addressesOf = ({ host, port }: Settings["network"]["allow"][number]): ReadonlyArray<string> => {
  const name = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host
  return [`http://${name}:${port}/`, `https://${name}:${port}/`]
}
