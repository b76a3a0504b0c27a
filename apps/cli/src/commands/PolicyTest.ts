/** `policy test`: what would become of a call of a new session in this folder. Nothing runs, nobody is asked. */
import { type Call, DryRun, RuleFields } from "@bough/dispatch"
import { type Policy, RuleOf } from "@bough/policy"
import { Session, ToolError } from "@bough/protocol"
import { AllowedBy } from "@bough/receipts"
import { Capability, ToolContext } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as SessionAgent from "@bough/host/session/SessionAgent"
import { text } from "@bough/tui/text/SafeText"
import * as SettingsFile from "@bough/host/config/Settings"
import * as Escape from "@bough/tui/text/Escape"
import * as Memory from "@bough/host/memory/Memories"
import type { Program } from "../Program.ts"
import * as SavedRules from "@bough/host/rules/SavedRules"
import { exitCode, failed, exitSilently, type CliFailure, usage } from "../CliFailure.ts"
import type { Common, TestOptions } from "../command-line/Options.ts"
import * as ReadInput from "../io/ReadInput.ts"
import * as DetachedCaller from "@bough/host/session/DetachedCaller"
import * as Tools from "./Tools.ts"
import { withStore } from "../session/WithStore.ts"

/** As it is printed. */
interface Tested {
  readonly decision: "allow" | "ask" | "deny"
  readonly tier: string
  readonly reason: string
  /** The rule that would answer it from now on, as "always" makes it; null: none can. */
  readonly always: string | null
}

type Decided = Extract<DryRun.Judgement, { readonly _tag: "Decided" }>

const codes = { allow: exitCode.done, ask: exitCode.needsApproval, deny: exitCode.failed }

export const test = Effect.fnUntraced(function* (program: Program, { cwd }: Common, options: TestOptions) {
  const { allow, approve } = options
  const given = { ...SettingsFile.noOverrides, cwd, allow, approve }
  const settings = yield* SettingsFile.load(program.environment, given, null)
  for (const notice of settings.notices) program.output.note(notice)
  const tested = yield* testedOf(yield* judge(program, settings, options), settings.workspaceRoot)
  if (options.format === "json") program.output.json(tested, 2)
  else for (const row of rowsOf(tested)) program.output.answerEscaped(text`${Escape.line(row)}\n`)
  const code = codes[tested.decision]
  if (code !== exitCode.done) return yield* exitSilently(code)
})

const rowsOf = ({ always, decision, reason, tier }: Tested): ReadonlyArray<string> => [
  `${decision}  ${tier}  ${reason}`,
  ...(always === null ? [] : [`always would be: ${always}`])
]

const sessionId = Session.SessionId.make("policy-test")

const judge = Effect.fnUntraced(function* (program: Program, settings: SettingsFile.Settings, options: TestOptions) {
  yield* Tools.find(program, options.tool)
  const text = options.arguments === "-" ? yield* ReadInput.all(program.stdin(), "the arguments") : options.arguments
  const asked: Call.RequestedCall = {
    toolCallId: Session.ToolCallId.make("call"),
    name: options.tool,
    arguments: text,
    labels: [],
    prior: null
  }
  return yield* withStore(
    program,
    Effect.gen(function* () {
      const memories = yield* Memory.make(settings)
      const agent = yield* SessionAgent.make(program, settings, options.kind).pipe(
        Effect.provideService(Memory.Memories, memories)
      )
      const saved = SavedRules.port({ ...settings, registry: agent.registry })
      const policy: Policy.Policy = { ...agent.policy, rules: [...agent.policy.rules, ...saved.now()] }
      const context = asInSession(agent.context)
      const caller = DetachedCaller.caller(
        { ...agent, context, policy },
        { sessionId, sessionPath: [sessionId], turn: 1, step: 1 }
      )
      return yield* DryRun.judge(asked, caller)
    })
  )
})

/** With what only a session has: there, but of no use. */
const asInSession = (context: ToolContext.ToolContext): ToolContext.ToolContext => {
  const reading = ToolContext.provide(context, Capability.SpilledOutput, ToolContext.constant(nothingSpilled))
  return context.kind === "Worker"
    ? reading
    : ToolContext.provide(reading, Capability.Spawn, { make: unusable, reach: "Confined", preconditions: [] })
}

const nothingSpilled: Capability.SpilledOutput["Service"] = {
  read: () => Effect.fail(new ToolError.ExecutionError({ message: "a new session has no output to read" }))
}

const unusable = (): never => {
  throw new Error("a call that is only tested starts nobody")
}

const testedOf = (judgement: DryRun.Judgement, workspaceRoot: string): Effect.Effect<Tested, CliFailure> => {
  if (judgement._tag === "Decided") return Effect.succeed(decided(judgement, workspaceRoot))
  const { outcome } = judgement
  if (outcome._tag !== "Failed" && outcome._tag !== "Rejected") return Effect.die(outcome)
  const { error } = outcome
  return error._tag === "PermissionDenied"
    ? Effect.succeed({ decision: "deny", tier: error.tier, reason: error.reason, always: null })
    : Effect.fail(
        error._tag === "ValidationError"
          ? usage(ToolError.describe(error), "bough tools show TOOL says what it takes")
          : failed(ToolError.describe(error), "")
      )
}

const decided = ({ call, decision }: Decided, workspaceRoot: string): Tested => {
  const { tier } = call
  switch (decision._tag) {
    case "Allow":
      return { decision: "allow", tier, reason: AllowedBy.ofAuthority(decision.authority), always: null }
    case "Deny":
      return { decision: "deny", tier, reason: decision.reason, always: null }
    case "Ask":
      return {
        decision: "ask",
        tier,
        reason: decision.reason,
        always: decision.everyTime ? null : alwaysOf(call, workspaceRoot)
      }
  }
}

const alwaysOf = ({ canonicalArguments, tier, tool }: Decided["call"], workspaceRoot: string): string | null =>
  RuleOf.ruleOf({ ...RuleFields.subjectOf(tool, canonicalArguments, workspaceRoot), tier })?.text ?? null
