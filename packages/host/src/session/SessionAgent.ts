/** The agent of one kind of session: its tools, its reach, its rules, what it is told. */
import { Copies, Redaction, RuleExamples, RuleFields } from "@bough/dispatch"
import { Rule, RuleText } from "@bough/policy"
import type { Session } from "@bough/protocol"
import { type Agent, type Model, type Reflection, SystemPrompt } from "@bough/runtime"
import { type Capability, type SessionKind, type Tool, ToolContext, ToolPack } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Settings, WrittenRule } from "../config/Settings.ts"
import * as Timeouts from "../config/Timeouts.ts"
import { Memories } from "../memory/Memories.ts"
import type { HostContext } from "../HostContext.ts"
import type { Packs } from "../Packs.ts"
import * as SessionCapabilities from "./SessionCapabilities.ts"
import * as ReadSkill from "../skills/ReadSkill.ts"
import { failed, type HostFailure, invalid } from "../HostFailure.ts"

export const toolsOf = (packs: Packs, kind: Session.Kind): SessionKind.KindTools =>
  ({ Main: packs.main, Branch: packs.branch ?? packs.main, Worker: packs.worker })[kind]

const kinds = ["Main", "Branch", "Worker"] as const

/** Every tool that is compiled in, by name, whichever kind holds it. */
export const registryOf = (packs: Packs): ReadonlyMap<string, Tool.Any> =>
  new Map(kinds.flatMap((kind) => Object.entries<Tool.Any>(toolsOf(packs, kind).pack.tools)))

/** What rules may speak of: also what a session holds only where there are skills. */
export const ruledTools = (packs: Packs): ReadonlyMap<string, Tool.Any> =>
  new Map(registryOf(packs)).set(ReadSkill.name, ReadSkill.make([]))

export const make = Effect.fnUntraced(function* (host: HostContext, settings: Settings, kind: Session.Kind) {
  const { packs } = host
  const readSkill = ReadSkill.make(settings.skills)
  const compiled = new Map(registryOf(packs)).set(readSkill.name, readSkill)
  const foreign = Copies.fault(compiled.values())
  if (foreign !== null) return yield* invalid(foreign, "")
  const registry = yield* Timeouts.applyTimeouts(compiled, settings.timeouts)
  const tools = settings.skills.length === 0 ? toolsOf(packs, kind) : withTool(toolsOf(packs, kind), readSkill)
  const { preferences, recall } = yield* Memories
  const agent: Agent.Agent = {
    name: host.name,
    user: settings.environment.user,
    workspaceRoot: settings.workspaceRoot,
    commit: SessionCapabilities.commit(settings),
    tools: Timeouts.limitKindTools(tools, settings.timeouts),
    registry,
    kindsOf: (tool) => kinds.filter((one) => Object.hasOwn(toolsOf(packs, one).pack.tools, tool)),
    context: yield* withOwn(yield* SessionCapabilities.context(settings, kind), host.provide, toolsOf(packs, kind)),
    policy: {
      rules: yield* toRules(settings.rules, { registry, workspaceRoot: settings.workspaceRoot }),
      approve: settings.approve
    },
    redaction: Redaction.make(settings.secrets),
    instructions: settings.instructions,
    coreTools: new Set([...(packs.core ?? registry.keys()), readSkill.name]),
    limits: settings.limits,
    addresses: settings.network.allow.flatMap(addressesOf),
    ...(kind === "Main" ? { recall, preferences } : {}),
    config: { execution: settings.sandbox }
  }
  SystemPrompt.preload(agent, host.schemas)
  return agent
})

/** With what `main` was told to provide. */
const withOwn = (
  context: ToolContext.ToolContext,
  provisions: ReadonlyArray<Capability.Provision>,
  { pack }: SessionKind.KindTools
): Effect.Effect<ToolContext.ToolContext, HostFailure> =>
  Effect.mapError(
    Effect.fromResult(
      Result.try(() => ToolContext.provideAll(context, provisions, Object.values<Tool.Any>(pack.tools)))
    ),
    (thrown) => failed(messageOf(thrown), "see what main() is told to provide", thrown)
  )

const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))

/** Who looks back on a conversation: with the memory alone, told nothing of the project, and allowed nothing that asks. */
export const makeReflecting = Effect.fnUntraced(function* (
  host: HostContext,
  settings: Settings,
  { model, tools }: { readonly tools: SessionKind.KindTools; readonly model: Model.Model["Service"] | null }
): Effect.fn.Return<Reflection.Reflecting, HostFailure, Memories> {
  const { nearest, reflecting: context } = yield* Memories
  const { workspaceRoot } = settings
  const registry = new Map(Object.entries<Tool.Any>(tools.pack.tools))
  const rules = yield* toRules(settings.rules, { registry: ruledTools(host.packs), workspaceRoot })
  return {
    name: host.name,
    user: settings.environment.user,
    workspaceRoot,
    tools,
    registry,
    context,
    ...(model === null ? {} : { model }),
    nearest,
    policy: { rules, approve: "deny" },
    redaction: Redaction.make(settings.secrets),
    instructions: [],
    coreTools: new Set(registry.keys()),
    limits: settings.limits,
    addresses: [],
    config: {}
  }
})

const withTool = ({ kind, pack }: SessionKind.KindTools, tool: Tool.Any): SessionKind.KindTools => ({
  kind,
  pack: ToolPack.merge(pack, ToolPack.make(tool))
})

/** The root of a service that the operator opened, under either scheme. */
const addressesOf = ({ host, port }: Settings["network"]["allow"][number]): ReadonlyArray<string> => {
  const name = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host
  return [`http://${name}:${port}/`, `https://${name}:${port}/`]
}

/** All of them, or what is wrong with the first that is wrong. */
export const toRules = (
  rules: ReadonlyArray<WrittenRule>,
  world: RuleExamples.World
): Effect.Effect<ReadonlyArray<Rule.Rule>, HostFailure> =>
  Effect.forEach(rules, (rule) =>
    Effect.mapError(Effect.fromResult(toRule(rule, world)), (what) => invalid(`${rule.from}: ${what}`, example))
  )

/**
 * The rule, or a sentence that says what is wrong with it: one that names what does not exist would never match, and one
 * that is wrong about its own examples says something else than was meant.
 */
export const toRule = (
  { effect, text, ...examples }: Omit<WrittenRule, "from">,
  world: RuleExamples.World
): Result.Result<Rule.Rule, string> => {
  const read = RuleText.read(text, RuleFields.ruleFields(world.registry))
  if (Result.isFailure(read)) return Result.fail(read.failure.message)
  const [word] = text.trim().split(/\s/u)
  if (Rule.isEffect(word) && word !== effect) {
    return Result.fail(`${JSON.stringify(text)} begins with "${word}" where rules ${effect}`)
  }
  const rule = Rule.forCallers(Rule.make(effect, read.success.tool, read.success.fields), read.success.callers)
  return Result.mapError(RuleExamples.check(rule, examples, world), ({ message }) => message)
}

const example = `write it as TOOL FIELD=VALUE, such as run_command argv=["npm","test"] or write_file path=src/`
