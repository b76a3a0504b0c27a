/** Decides a call without an approval, an effect or a record. */
import { Policy, type Rule, RuleMatch } from "@bough/policy"
import type { Approval, Entry, Session, Tier, ToolError } from "@bough/protocol"
import { Capability } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { assessTier } from "./AssessTier.ts"
import type { RequestedCall, AssessedCall } from "./Call.ts"
import type { CallAborted } from "./CallAborted.ts"
import * as CapabilityCheck from "./CapabilityCheck.ts"
import { evaluate, factsOf, offeredRule, wouldRuleCoverCall } from "./Decide.ts"
import type { DispatchContext } from "./DispatchContext.ts"
import * as Preconditions from "./Preconditions.ts"
import { understand } from "./Prepare.ts"

/** `Decided`: the verdict of the rules. `Stopped`: the call fails before the rules apply. */
export type Judgement =
  | { readonly _tag: "Decided"; readonly call: AssessedCall; readonly decision: Policy.Decision }
  | { readonly _tag: "Stopped"; readonly outcome: Entry.Outcome }

/** Judges a call without running it. The tool's `classify` reads the world, as before every call. */
export const judge = (requested: RequestedCall, context: DispatchContext): Effect.Effect<Judgement> =>
  Effect.suspend(() => {
    const understood = understand(requested, context)
    if (Result.isFailure(understood)) return Effect.succeed(toStopped(understood.failure))
    return assessTier(understood.success, context).pipe(
      Effect.flatMap((call) =>
        Effect.map(decide(call, context), (decision): Judgement => ({ _tag: "Decided", call, decision }))
      ),
      Effect.catch((stop) => Effect.succeed(toStopped(stop)))
    )
  })

/** Marks an ask that no rule can answer, as when it is shown to a user. */
const decide = (call: AssessedCall, context: DispatchContext): Effect.Effect<Policy.Decision> => {
  const decision = evaluate(call, context)
  return decision._tag !== "Ask" || decision.everyTime
    ? Effect.succeed(decision)
    : Effect.map(wouldRuleCoverCall(call, context), (isCovered) => ({ ...decision, everyTime: !isCovered }))
}

const toStopped = ({ outcome }: CallAborted): Judgement => ({ _tag: "Stopped", outcome })

/** Returns the rule behind "always" if the request for the approval would name it; null: it follows from the request. */
export const ruleInRequest = (call: AssessedCall, context: DispatchContext): string | null =>
  offeredRule(call, context).rule ?? null

/** The preview of a call that needs an approval. */
export const preview = (
  call: AssessedCall,
  context: DispatchContext
): Effect.Effect<Approval.Preview, ToolError.ToolError> => Preconditions.fullPreview(call, context)

/**
 * The reasons of a decision: the origin of the call's tier and reach, the labels of the session, and every rule that
 * covers the call.
 */
export interface Explanation {
  readonly basis: Policy.Basis
  readonly declaredTier: Tier.Tier
  /** Floors by the capability's short name. */
  readonly floors: ReadonlyArray<{ readonly capability: string; readonly tier: Tier.Tier }>
  /** The reason why the tier is above the tool's own and its floors; null: it is not above. */
  readonly raised: string | null
  readonly reach: Policy.Reach
  readonly labels: ReadonlyArray<Session.Label>
  readonly rules: ReadonlyArray<{ readonly rule: Rule.Rule; readonly decides: boolean }>
}

/** Explains the decision of `judge` on the call. */
export const explain = (call: AssessedCall, context: DispatchContext): Explanation => {
  const facts = factsOf(call, context)
  const { basis } = Policy.explain(context.policy, facts)
  return {
    basis,
    declaredTier: call.tool.tier,
    floors: call.tool.capabilities.map((capability) => ({
      capability: Capability.shortName(capability.key),
      tier: CapabilityCheck.floorOf(capability)
    })),
    raised: facts.raised,
    reach: facts.reach,
    labels: call.labels,
    rules: context.policy.rules
      .filter((rule) => RuleMatch.matches(rule, facts))
      .map((rule) => ({ rule, decides: basis._tag === "Rule" && basis.rule === rule }))
  }
}
