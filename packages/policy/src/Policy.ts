/**
 * Decides on a call: deny goes before ask, and ask before allow. Pure.
 *
 * - a deny rule refuses; an ask rule asks a user, even if the call would be allowed otherwise
 * - without a rule, ReadOnly is allowed, and Workspace and System are allowed if every capability that they use is
 *   confined; all others ask
 * - an allow rule answers such an ask: for a System call by matching it, for an Elevated one only by naming every
 *   argument that is not at its default, with its full value. It never answers an ask that taint caused
 * - a private session asks before it contacts a host that no user approved; an allow rule that names the host answers
 * - `approve: "allow"` answers the asks that Workspace and System make by default, and no others
 * - `approve: "commands"` answers the asks that calls with commands make by default, also outside of the sandbox, and
 *   the asks for hosts that commands contact; never an ask of a rule or of taint
 */
import type { Receipt, Tier } from "@bough/protocol"
import * as CommandPattern from "./CommandPattern.ts"
import { type Destination, hostField, print } from "./HostRule.ts"
import type { Rule } from "./Rule.ts"
import { fixes, isRecord, matches, patternOf, withCommand, type Subject } from "./RuleMatch.ts"

/**
 * The decision on an ask that no rule covers. `allow` approves only System asks, because Elevated needs a user.
 * `commands` approves all asks of commands.
 */
export type Approve = "ask" | "deny" | "allow" | "commands"

/**
 * How far the capabilities of a call reach: the farthest reach among them. `Undeclared`: the call does more than read
 * but declares no capability that does, so it cannot be considered confined.
 */
export type Reach = "Confined" | "Open" | "Undeclared" | "Host"

export interface Policy {
  readonly rules: ReadonlyArray<Rule>
  readonly approve: Approve
}

/** The facts about a call when it is decided. */
export interface Facts extends Subject {
  readonly tier: Tier.Tier
  readonly reach: Reach
  /** The reason why the call would send private data at the request of untrusted text; null: it would not. */
  readonly tainted: string | null
  /**
   * The reason why a user has to approve the host first; null: the host is approved, or no private data could reach it.
   */
  readonly newHost: string | null
  /** The reason why the tier is above the tool's own; null: it is not above. */
  readonly raised: string | null
  /** True if its tool runs commands. */
  readonly runsCommands?: boolean
}

export type Decision =
  | { readonly _tag: "Allow"; readonly authority: Receipt.Authority }
  /** `everyTime`: no allow rule could cover it. */
  | { readonly _tag: "Ask"; readonly reason: string; readonly everyTime: boolean }
  | { readonly _tag: "Deny"; readonly reason: string }

/** The policy that leaves every default ask to the user. */
export const defaults: Policy = { rules: [], approve: "ask" }

/**
 * The source of a decision: a rule; a label of the session (what it has read); the tier, by the tool, its capabilities
 * or `classify`; the reach of its capabilities; or none of them. If `approve` answers an ask, the source is that of the
 * ask.
 */
export type Basis =
  | { readonly _tag: "Rule"; readonly rule: Rule }
  | { readonly _tag: "Label" }
  | { readonly _tag: "Tier" }
  | { readonly _tag: "Reach" }
  | { readonly _tag: "Nothing" }

export interface Verdict {
  readonly decision: Decision
  readonly basis: Basis
}

/** Decides on one call. The reason of an ask or a deny is a sentence for users. */
export const evaluate = (policy: Policy, facts: Facts): Decision => explain(policy, facts).decision

/** The decision and its source. */
export const explain = (policy: Policy, facts: Facts): Verdict => {
  const matching = policy.rules.filter((rule) => matches(rule, facts))
  const denied = matching.find((rule) => rule.effect === "deny")
  if (denied !== undefined) {
    return { decision: { _tag: "Deny", reason: `denied by the rule ${quoteRule(denied)}` }, basis: fromRule(denied) }
  }
  const askRule = matching.find((rule) => rule.effect === "ask")
  const opening = facts.newHost === null ? undefined : matching.find((rule) => opensHost(rule, facts))
  const newHost = opening === undefined ? facts.newHost : null
  if (facts.tainted !== null) {
    const reason = joinReasons(facts.raised, newHost, facts.tainted)
    return { decision: denyUnanswered(policy, reason, true), basis: ofLabel }
  }
  if (askRule !== undefined) {
    const reason = joinReasons(`the rule ${quoteRule(askRule)} asks`, newHost)
    return { decision: denyUnanswered(policy, reason, true), basis: fromRule(askRule) }
  }
  if (newHost !== null) {
    const reason = joinReasons(facts.raised, newHost)
    return { decision: denyUnanswered(policy, reason, isElevated(facts)), basis: ofLabel }
  }
  const reason = reasonToAsk(facts)
  if (reason === null) return opening === undefined ? free : byRule(opening)
  const allowing = matching.find((rule) => rule.effect === "allow" && (!isElevated(facts) || fixes(rule, facts)))
  if (allowing !== undefined) return byRule(allowing)
  const together = rulesTogether(policy, facts)
  if (together !== null) return together
  const basis: Basis = facts.tier === "Elevated" ? ofTier : ofReach
  const isAnswered =
    policy.approve === "commands" ? facts.runsCommands === true : policy.approve === "allow" && !isElevated(facts)
  return isAnswered ? { decision: byConfig(policy), basis } : { decision: denyUnanswered(policy, reason, false), basis }
}

const byConfig = ({ approve }: Policy): Decision => ({
  _tag: "Allow",
  authority: { _tag: "Config", source: `approve: ${approve}` }
})

const meansCommand = (rule: Rule, command: ReadonlyArray<string>): boolean => {
  const pattern = patternOf(rule)
  return pattern !== null && CommandPattern.means(pattern, command)
}

/**
 * Returns rules that together cover every simple command of the call, each command by one rule; null: a command is
 * covered by none.
 */
const rulesTogether = ({ rules }: Policy, facts: Facts): Verdict | null => {
  const { commands } = facts
  if (commands === undefined || commands === null || commands.length < 2) return null
  const answering: Array<Rule> = []
  for (const command of commands) {
    const alone = { ...facts, ...withCommand(facts, command) }
    const rule = rules.find(
      (one) =>
        one.effect === "allow" &&
        meansCommand(one, command) &&
        matches(one, alone) &&
        (!isElevated(facts) || fixes(one, alone))
    )
    if (rule === undefined) return null
    if (!answering.includes(rule)) answering.push(rule)
  }
  const text = answering.map((rule) => rule.text).join("; ")
  return { decision: { _tag: "Allow", authority: { _tag: "Rule", rule: text } }, basis: fromRule(answering[0]) }
}

const fromRule = (rule: Rule): Basis => ({ _tag: "Rule", rule })
const ofLabel: Basis = { _tag: "Label" }
const ofTier: Basis = { _tag: "Tier" }
const ofReach: Basis = { _tag: "Reach" }
const free: Verdict = { decision: { _tag: "Allow", authority: { _tag: "Automatic" } }, basis: { _tag: "Nothing" } }

const byRule = (rule: Rule): Verdict => ({
  decision: { _tag: "Allow", authority: { _tag: "Rule", rule: rule.text } },
  basis: fromRule(rule)
})

/** True if the call is Elevated, or runs in the operator's own account regardless of its tier. */
const isElevated = (facts: Facts): boolean => facts.tier === "Elevated" || facts.reach === "Host"

const reasonToAsk = (facts: Facts): string | null => {
  if (isElevated(facts)) return facts.raised ?? `${facts.tool} is Elevated`
  if (facts.tier === "ReadOnly" || facts.reach === "Confined") return null
  if (facts.reach === "Undeclared") {
    return facts.raised ?? `${facts.tool} is ${facts.tier} and declares no capability that does more than read`
  }
  return facts.raised ?? `${facts.tool} reaches beyond the workspace`
}

const joinReasons = (...reasons: ReadonlyArray<string | null>): string =>
  reasons.filter((reason) => reason !== null).join("; ")

/** True if the rule opens a host; a rule about an argument named `host` that the tool declares opens none. */
const opensHost = (rule: Rule, subject: Subject): boolean =>
  rule.effect === "allow" &&
  namesHost(rule) &&
  !(isRecord(subject.arguments) && Object.hasOwn(subject.arguments, hostField))

const namesHost = ({ fields }: Rule): boolean => fields.some(({ name }) => name === hostField)

/** True if an allow rule covers the call and names the host that it contacts. */
export const allowsHost = ({ rules }: Policy, subject: Subject): boolean =>
  rules.some((rule) => opensHost(rule, subject) && matches(rule, subject))

/**
 * Decides whether a running command may contact a host, which is the destination of `subject`. Only rules that name
 * hosts apply. `isGranted`: a user or a rule opened every host to this call.
 */
export const evaluateHost = (policy: Policy, subject: Subject, isGranted: boolean): Decision => {
  const matching = policy.rules.filter((rule) => namesHost(rule) && matches(rule, subject))
  const denied = matching.find(({ effect }) => effect === "deny")
  if (denied !== undefined) return { _tag: "Deny", reason: `denied by the rule ${quoteRule(denied)}` }
  const asking = matching.find(({ effect }) => effect === "ask")
  if (asking !== undefined) return denyUnanswered(policy, `the rule ${quoteRule(asking)} asks`, true)
  const opening = matching.find((rule) => opensHost(rule, subject))
  if (opening !== undefined) return byRule(opening).decision
  if (isGranted) return free.decision
  if (policy.approve === "commands") return byConfig(policy)
  const name = subject.destination === null ? "the host" : print(subject.destination)
  return denyUnanswered(policy, `no rule lets commands reach ${name}`, false)
}

/**
 * The deny or ask about hosts that applies once the call is redirected to `destination`; null: there is none. An ask
 * that already applied to the call was answered before.
 */
export const ruleAgainst = ({ rules }: Policy, subject: Subject, destination: Destination): Rule | null => {
  const led = { ...subject, destination }
  const against = rules.filter((rule) => rule.effect !== "allow" && namesHost(rule) && matches(rule, led))
  const denying = against.find(({ effect }) => effect === "deny")
  return denying ?? against.find((rule) => !matches(rule, subject)) ?? null
}

/** True if an ask or a deny covers the call and names the host that it contacts. */
export const guardsHost = ({ rules }: Policy, subject: Subject): boolean =>
  rules.some((rule) => rule.effect !== "allow" && namesHost(rule) && matches(rule, subject))

const denyUnanswered = (policy: Policy, reason: string, everyTime: boolean): Decision =>
  policy.approve === "deny"
    ? { _tag: "Deny", reason: `${reason}, and asks are denied` }
    : { _tag: "Ask", reason, everyTime }

const quoteRule = (rule: Rule): string => JSON.stringify(rule.text)
