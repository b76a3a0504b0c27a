/** Decides a call of a new session in this folder without running it, for `policy test` and `policy explain`. */
import { type Call, type DispatchContext, DryRun, RuleFields } from "@bough/dispatch"
import type * as SettingsFile from "@bough/host/config/Settings"
import * as Memory from "@bough/host/memory/Memories"
import * as SavedRules from "@bough/host/rules/SavedRules"
import * as DetachedCaller from "@bough/host/session/DetachedCaller"
import * as SessionAgent from "@bough/host/session/SessionAgent"
import * as SessionCapabilities from "@bough/host/session/SessionCapabilities"
import * as SessionServers from "@bough/host/session/SessionServers"
import * as SessionSnapshots from "@bough/host/session/SessionSnapshots"
import * as SessionVault from "@bough/host/session/SessionVault"
import { type Policy, RuleOf } from "@bough/policy"
import { Session, type Tier, ToolError } from "@bough/protocol"
import { AllowedBy } from "@bough/receipts"
import type { Agent } from "@bough/runtime"
import { Capability, ToolContext } from "@bough/tool"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { failure, type CliFailure, usage } from "../CliFailure.ts"
import type { CommandOptions } from "../command-line/CommandSpec.ts"
import type * as CallFlags from "../command-line/flags/CallFlags.ts"
import * as ReadInput from "../io/ReadInput.ts"
import type { Program } from "../Program.ts"
import * as ServerTool from "./ServerTool.ts"
import { withStore } from "./WithStore.ts"

/** The call with the kind of its session, and what is assumed of that session: its labels and its channel. */
export interface JudgedCallOptions extends CommandOptions<typeof CallFlags.call> {
  readonly labels: ReadonlyArray<Session.Label>
  readonly channel: string
}

export interface JudgedCall {
  readonly caller: DispatchContext.DispatchContext
  readonly judgement: DryRun.Judgement
}

/** The channel of a session at the terminal. */
export const terminal = "terminal"

const sessionId = Session.SessionId.make("policy-test")

export const judge = Effect.fnUntraced(function* (
  program: Program,
  settings: SettingsFile.Settings,
  { channel, labels, ...options }: JudgedCallOptions
) {
  const text = options.arguments === "-" ? yield* ReadInput.all(program.stdin(), "the arguments") : options.arguments
  const requested: Call.RequestedCall = {
    toolCallId: Session.ToolCallId.make("call"),
    name: options.tool,
    arguments: text,
    labels,
    prior: null
  }
  return yield* withStore(
    program,
    Effect.gen(function* () {
      const agent = yield* agentOf(program, settings, options)
      yield* ServerTool.check(program, agent.tools, options.tool)
      const detached = DetachedCaller.caller(
        { ...agent, context: asInSession(agent.context), policy: withSavedRules(agent, settings) },
        { sessionId, sessionPath: [sessionId], turn: 1, step: 1 }
      )
      const caller: DispatchContext.DispatchContext = { ...detached, channel }
      return { caller, judgement: yield* DryRun.judge(requested, caller) } satisfies JudgedCall
    })
  )
})

/** Makes the agent of a new session. MCP servers are started only if the tool is one of theirs. */
const agentOf = Effect.fnUntraced(function* (
  program: Program,
  settings: SettingsFile.Settings,
  { kind, tool }: Pick<JudgedCallOptions, "kind" | "tool">
) {
  const servers = yield* ServerTool.connect(program, settings, tool)
  const memories = yield* Memory.make(settings)
  // A snapshot makes files restorable, so that changes to them need no approval.
  const snapshots = yield* SessionSnapshots.make(
    settings,
    SessionSnapshots.recordedIn(settings),
    SessionCapabilities.ownPlaces(settings)
  )
  const vault = yield* SessionVault.make(settings)
  const services = Context.make(Memory.Memories, memories).pipe(
    Context.add(SessionSnapshots.Current, snapshots),
    Context.add(SessionVault.Current, vault),
    Context.add(SessionServers.Current, servers)
  )
  return yield* Effect.provideContext(SessionAgent.make(program, settings, { kind }), services)
})

/** Returns the policy of an agent with the rules that were saved with approvals. */
const withSavedRules = ({ policy, tools }: Agent.Agent, settings: SettingsFile.Settings): Policy.Policy => {
  const saved = SavedRules.port({
    dataDirectory: settings.dataDirectory,
    workspaceRoot: settings.workspace.root,
    registry: tools.registry,
    ...(tools.live === undefined ? {} : { live: tools.live })
  })
  return { ...policy, rules: [...policy.rules, ...saved.now()] }
}

/** Adds the capabilities that only a session has, in a form that cannot be used. */
const asInSession = (context: ToolContext.ToolContext): ToolContext.ToolContext => {
  const withOutputs = ToolContext.provide(context, Capability.SpilledOutput, ToolContext.constant(nothingSpilled))
  if (context.kind === "Worker") return withOutputs
  const unable = { make: unusable, reach: "Confined", preconditions: [] } as const
  return [Capability.Chain, Capability.Sampling, Capability.Spawn].reduce(
    (provided, capability) => ToolContext.provide(provided, capability, unable),
    withOutputs
  )
}

const nothingSpilled: Capability.SpilledOutput["Service"] = {
  read: () => Effect.fail(new ToolError.ExecutionError({ message: "a new session has no output to read" }))
}

const unusable = (): never => {
  throw new Error("a call that is only tested starts no session")
}

/** A decision in its printed form. */
export interface Decision {
  readonly decision: "allow" | "ask" | "deny"
  readonly tier: Tier.Tier
  readonly reason: string
  /** The rule that the answer "always" would save, which allows such calls from then on; null: there is none. */
  readonly always: string | null
}

export const decisionOf = ({ caller, judgement }: JudgedCall): Effect.Effect<Decision, CliFailure> => {
  if (judgement._tag === "Decided") return Effect.succeed(toDecision(judgement, caller))
  const { outcome } = judgement
  if (outcome._tag !== "Failed" && outcome._tag !== "Rejected") return Effect.die(outcome)
  const { error } = outcome
  return error._tag === "PermissionDenied"
    ? Effect.succeed({ decision: "deny", tier: error.tier, reason: error.reason, always: null })
    : Effect.fail(
        error._tag === "ValidationError"
          ? usage(ToolError.describe(error), '"bough tools show TOOL" shows its arguments')
          : failure(ToolError.describe(error), "")
      )
}

/**
 * Explains, for each allow rule that matches a call which still needs approval, why the rule does not cover it: an
 * Elevated call is allowed only by a rule that names every argument of it.
 */
export const incompleteRuleNotes = ({ caller, judgement }: JudgedCall): ReadonlyArray<string> => {
  if (judgement._tag !== "Decided" || judgement.decision._tag !== "Ask") return []
  const { basis, rules } = DryRun.explain(judgement.call, caller)
  if (basis._tag !== "Tier" && basis._tag !== "Reach") return []
  return rules.flatMap(({ rule: { effect, text } }) =>
    effect === "allow"
      ? [
          `the rule ${JSON.stringify(text)} does not cover this call: a rule for an Elevated call must name every argument`
        ]
      : []
  )
}

type DecidedCall = Extract<DryRun.Judgement, { readonly _tag: "Decided" }>

const toDecision = ({ call, decision }: DecidedCall, caller: DispatchContext.DispatchContext): Decision => {
  const { tier } = call
  switch (decision._tag) {
    case "Allow":
      return { decision: "allow", tier, reason: AllowedBy.formatAuthority(decision.authority), always: null }
    case "Deny":
      return { decision: "deny", tier, reason: decision.reason, always: null }
    case "Ask":
      return {
        decision: "ask",
        tier,
        reason: decision.reason,
        always: decision.everyTime ? null : (DryRun.ruleInRequest(call, caller) ?? alwaysRuleOf(call, caller))
      }
  }
}

const alwaysRuleOf = (
  { canonicalArguments, tier, tool }: DecidedCall["call"],
  { invocation: { workspaceRoot } }: DispatchContext.DispatchContext
): string | null =>
  RuleOf.ruleOf({ ...RuleFields.subjectOf(tool, canonicalArguments, workspaceRoot), tier })?.text ?? null
