/** `policy explain`: the rule, label, tier or reach that decides a call of a new session in this folder, and every rule about it. */
import { DryRun, RuleFields } from "@bough/dispatch"
import * as SettingsFile from "@bough/host/config/Settings"
import type { Callers, Policy } from "@bough/policy"
import type { Session, Tier } from "@bough/protocol"
import * as Escape from "@bough/tui/text/Escape"
import { text } from "@bough/tui/text/SafeText"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import { exitCode, exitSilently } from "../../CliFailure.ts"
import { command as declare, type CommandOptions } from "../../command-line/CommandSpec.ts"
import * as CallFlags from "../../command-line/flags/CallFlags.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import * as ListFlags from "../../command-line/flags/ListFlags.ts"
import * as Shapes from "../../command-line/flags/Shapes.ts"
import type { Program } from "../../Program.ts"
import * as JudgeCall from "../../session/JudgeCall.ts"
import * as PolicyTest from "./Test.ts"

const parameters = {
  ...CallFlags.call,
  channel: Shapes.optionalText("channel", "NAME", "Channel of the session; default: terminal"),
  labels: Flag.Literals("label", ["private", "untrusted"]).pipe(
    Flag.withDescription("Data that the session has read before: private data, untrusted text; repeatable"),
    Flag.atLeast(0)
  ),
  format: ListFlags.format
}

interface Explanation extends JudgeCall.Decision {
  readonly decidedBy: "rule" | "label" | "tier" | "reach" | "nothing" | "capabilities"
  /** The rule that decides; null: something else decides. */
  readonly rule: string | null
  /** The decision on an ask that no rule covers. */
  readonly approve: Policy.Approve
  readonly caller: Callers.Caller
  readonly labels: ReadonlyArray<Session.Label>
  /** Null: the call is refused before its tier is known. */
  readonly tierFrom: {
    readonly tool: Tier.Tier
    readonly floors: DryRun.Explanation["floors"]
    readonly raised: string | null
  } | null
  readonly reach: Policy.Reach | null
  /** True: an approval gives the call more than its reach, such as a command outside of the sandbox. */
  readonly escalates: boolean
  /** Every rule that covers the call. */
  readonly rules: ReadonlyArray<string>
}

const decidedBy = {
  Rule: "rule",
  Label: "label",
  Tier: "tier",
  Reach: "reach",
  Nothing: "nothing"
} as const satisfies Record<Policy.Basis["_tag"], Explanation["decidedBy"]>

const explain = Effect.fnUntraced(function* (
  program: Program,
  { cwd }: Common,
  options: CommandOptions<typeof parameters>
) {
  const { addDir, allow, approve, channel, labels } = options
  const overrides = { ...SettingsFile.noOverrides, addDir, cwd, allow, approve }
  const settings = yield* SettingsFile.load(program.environment, overrides, null)
  for (const notice of settings.notices) program.output.note(notice)
  const assumed = { ...options, channel: channel ?? JudgeCall.terminal }
  const judged = yield* JudgeCall.judge(program, settings, assumed)
  for (const notice of JudgeCall.incompleteRuleNotes(judged)) program.output.note(notice)
  const decision = yield* JudgeCall.decisionOf(judged)
  const explained = explanationOf(judged, decision, labels)
  if (options.format === "json") program.output.json(explained, 2)
  else for (const row of rowsOf(explained)) program.output.answerEscaped(text`${Escape.line(row)}\n`)
  const code = PolicyTest.codes[decision.decision]
  if (code !== exitCode.done) return yield* exitSilently(code)
})

const explanationOf = (
  { caller, judgement }: JudgeCall.JudgedCall,
  decision: JudgeCall.Decision,
  labels: ReadonlyArray<Session.Label>
): Explanation => {
  const about = { ...decision, approve: caller.policy.approve, caller: RuleFields.callerOf(caller), labels }
  if (judgement._tag === "Stopped") {
    return { ...about, decidedBy: "capabilities", rule: null, tierFrom: null, reach: null, escalates: false, rules: [] }
  }
  const { basis, declaredTier, floors, raised, reach, rules } = DryRun.explain(judgement.call, caller)
  return {
    ...about,
    decidedBy: decidedBy[basis._tag],
    rule: basis._tag === "Rule" ? formatRule(basis.rule) : null,
    tierFrom: { tool: declaredTier, floors, raised },
    reach,
    escalates: judgement.call.grants.length > 0,
    rules: [...new Set(rules.map(({ rule }) => formatRule(rule)))]
  }
}

/** Prints a rule with its effect, which some texts contain already. */
const formatRule = ({ effect, text }: { readonly effect: string; readonly text: string }): string =>
  text.startsWith(`${effect} `) ? text : `${effect} ${text}`

const rowsOf = (explained: Explanation): ReadonlyArray<string> => {
  const { caller, escalates, labels, reach, rules, tierFrom } = explained
  return [
    ...PolicyTest.rowsOf(explained),
    `decided by: ${deciderOf(explained)}`,
    ...(tierFrom === null ? [] : [`tier: ${tierOf(explained.tier, tierFrom)}`]),
    ...(reach === null ? [] : [`reach: ${reach}${escalates ? " until it is approved" : ""}`]),
    `labels: ${labels.join(", ") || "none"}`,
    `caller: agent ${caller.agent}, channel ${caller.channel ?? "none"}, kind ${caller.kind}`,
    ...(rules.length === 0 ? ["matching rules: none"] : rules.map((rule) => `matching rule: ${rule}`))
  ]
}

const deciderOf = ({ approve, decidedBy, decision, rule }: Explanation): string => {
  if (decidedBy === "rule") return `the rule ${JSON.stringify(rule)}`
  const answered = decidedBy !== "nothing" && decision !== "ask" && decidedBy !== "capabilities"
  return `${deciders[decidedBy]}${answered ? `; --approve ${approve} decides it` : ""}`
}

const deciders = {
  label: "label (data that the session has read)",
  tier: "tier (Elevated calls need an approval)",
  reach: "reach (calls that leave the workspace need an approval)",
  nothing: "default (no approval is needed)",
  capabilities: "the capabilities of this kind of session"
}

const tierOf = (tier: Tier.Tier, { floors, raised, tool }: NonNullable<Explanation["tierFrom"]>): string => {
  const floorText = floors.map(({ capability, tier }) => `${capability} at least ${tier}`).join(", ")
  return [
    `${tier}, the tool declares ${tool}`,
    ...(floorText === "" ? [] : [floorText]),
    ...(raised === null ? [] : [raised])
  ].join("; ")
}

export const command = declare({
  description:
    "Show the rule, label, tier or reach that decides a call, and every rule about it, without running it; the exit codes are those of policy test",
  parameters,
  run: explain
})
