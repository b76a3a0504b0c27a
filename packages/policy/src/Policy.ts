/**
 * Whether a call may go ahead, is asked about, or is refused: deny > ask > allow. Pure.
 *
 * - a deny rule refuses; an ask rule asks a person, whatever else would allow
 * - else ReadOnly and Workspace go ahead, System where every capability it uses is confined; the rest asks
 * - an allow-rule answers such an ask: of a System call by matching it, of an Elevated one only by naming every argument
 *   that is not at its default, whole. Never one that was raised by taint
 * - `approve: "allow"` answers what System asks by default, and nothing else
 */
import type { Receipt, Tier } from "@bough/protocol"
import type { Rule } from "./Rule.ts"
import { fixes, matches, type Subject } from "./RuleMatch.ts"

/** What answers an ask that no rule answers. `allow` answers System asks only: Elevated needs a person. */
export type Approve = "ask" | "deny" | "allow"

/** How far the capabilities of a call reach, the farthest of them. */
export type Reach = "Confined" | "Open" | "Host"

export interface Policy {
  readonly rules: ReadonlyArray<Rule>
  readonly approve: Approve
}

/** What is known of a call when it is decided. */
export interface Facts extends Subject {
  readonly tier: Tier.Tier
  readonly reach: Reach
  /** Why private data would leave at the word of untrusted text; null: it would not. */
  readonly tainted: string | null
  /** Why the tier is above the tool's own; null: it is not. */
  readonly raised: string | null
}

export type Decision =
  | { readonly _tag: "Allow"; readonly authority: Receipt.Authority }
  /** `everyTime`: no allow-rule could answer it. */
  | { readonly _tag: "Ask"; readonly reason: string; readonly everyTime: boolean }
  | { readonly _tag: "Deny"; readonly reason: string }

const automatic: Decision = { _tag: "Allow", authority: { _tag: "Automatic" } }

/** Asks everything that the defaults ask. */
export const defaults: Policy = { rules: [], approve: "ask" }

/** What is to become of one call. The reason of an ask or a deny is a sentence for people. */
export const evaluate = (policy: Policy, facts: Facts): Decision => {
  const matching = policy.rules.filter((rule) => matches(rule, facts))
  const denied = matching.find((rule) => rule.effect === "deny")
  if (denied !== undefined) return { _tag: "Deny", reason: `denied by the rule ${quoted(denied)}` }
  const asked = matching.find((rule) => rule.effect === "ask")
  if (facts.tainted !== null) return unanswered(policy, both(facts.tainted, facts.raised), true)
  if (asked !== undefined) return unanswered(policy, `the rule ${quoted(asked)} asks`, true)
  const reason = reasonToAsk(facts)
  if (reason === null) return automatic
  const allowing = matching.find((rule) => rule.effect === "allow" && (!isElevated(facts) || fixes(rule, facts)))
  if (allowing !== undefined) return { _tag: "Allow", authority: { _tag: "Rule", rule: allowing.text } }
  return policy.approve === "allow" && !isElevated(facts)
    ? { _tag: "Allow", authority: { _tag: "Config", source: "approve: allow" } }
    : unanswered(policy, reason, false)
}

/** What runs on the operator's own account is Elevated, whatever it is. */
const isElevated = (facts: Facts): boolean => facts.tier === "Elevated" || facts.reach === "Host"

const reasonToAsk = (facts: Facts): string | null => {
  if (isElevated(facts)) return facts.raised ?? `${facts.tool} is Elevated`
  if (facts.tier !== "System" || facts.reach === "Confined") return null
  return facts.raised ?? `${facts.tool} reaches beyond the workspace`
}

const both = (tainted: string, raised: string | null): string => (raised === null ? tainted : `${raised}; ${tainted}`)

const unanswered = (policy: Policy, reason: string, everyTime: boolean): Decision =>
  policy.approve === "deny"
    ? { _tag: "Deny", reason: `${reason}, and asks are denied` }
    : { _tag: "Ask", reason, everyTime }

const quoted = (rule: Rule): string => JSON.stringify(rule.text)
