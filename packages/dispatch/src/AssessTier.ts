/**
 * Assesses the tier of a call: the tool's tier, the floors of its capabilities, their reach, and the result of
 * `classify`. It is never lowered.
 */
import { Policy } from "@bough/policy"
import { Tier } from "@bough/protocol"
import type { ToolContext } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { DecodedCall, AssessedCall } from "./Call.ts"
import { failed, type CallAborted } from "./CallAborted.ts"
import { minTier, refusalOf } from "./CapabilityCheck.ts"
import * as CommandWords from "./CommandWords.ts"
import type { DispatchContext } from "./DispatchContext.ts"
import { describeThrown } from "./internal/describeThrown.ts"
import { handleRejections } from "./internal/handleRejections.ts"
import * as Places from "./Places.ts"
import { reachOf } from "./Reach.ts"
import * as RuleFields from "./RuleFields.ts"
import * as Taint from "./Taint.ts"
import * as ToolCode from "./ToolCode.ts"
import * as TruncateOutput from "./TruncateOutput.ts"
import * as WorkspaceStates from "./WorkspaceStates.ts"

/**
 * `classify` may resolve a host name, which the owner of that name can observe. Before an approval it therefore does
 * not run for a call that sends private data or goes to a host that a rule guards.
 */
export const assessTier = (
  call: DecodedCall,
  context: DispatchContext,
  agreed = false
): Effect.Effect<AssessedCall, CallAborted> => {
  call.judged.clear()
  const wrong = faultOfEgress(call)
  if (wrong !== null) return Effect.fail(failed(ToolCode.bug(call.tool.name, wrong)))
  const { tool } = call
  // Most sessions have no rule about paths, so nothing is resolved or derived.
  const assessed = Places.areRuled(tool, context.policy.rules)
    ? Effect.flatMap(Places.follow(call, context), (places) =>
        classify(withPlaces(call, context, places), context, agreed)
      )
    : classify(withPlaces(call, context, noPlaces), context, agreed)
  const worded =
    tool.commands === null ? assessed : Effect.flatMapEager(assessed, (found) => CommandWords.read(found, context))
  return context.snapshots === undefined
    ? worded
    : Effect.flatMapEager(worded, (found) => WorkspaceStates.recordBefore(found, context))
}

const noPlaces: AssessedCall["places"] = {}

/** The call before any code of the tool has run. */
const withPlaces = (call: DecodedCall, caller: DispatchContext, places: AssessedCall["places"]): AssessedCall => {
  const { raised, tier } = floorOf(call, caller.context)
  const { newHost, tainted } = Taint.taintOf(call, caller)
  return { ...call, places, tier, raised, tainted, newHost, unseen: false, grants: [], facts: [], stateBefore: null }
}

const classify = (
  call: AssessedCall,
  caller: DispatchContext,
  agreed: boolean
): Effect.Effect<AssessedCall, CallAborted> => {
  if (!agreed && mustNotLook(call, caller)) return Effect.succeed({ ...call, unseen: true })
  const classification = ToolCode.classification(call, caller)
  if (classification === null) return Effect.succeed(call)
  return classification.pipe(
    Effect.flatMap(({ everyTime, facts, grants, reason, tier }) => {
      const raised = wordsOf(reason, caller) ?? `this call is ${tier}`
      const found = Tier.exceeds(tier, call.tier) ? { tier, raised } : call
      const refusal = refusalOf(call, caller.context, found)
      return refusal === null
        ? Effect.succeed({
            ...call,
            tier: found.tier,
            raised: found.raised,
            tainted: call.tainted ?? wordsOf(everyTime, caller),
            grants: grants ?? [],
            facts: facts ?? []
          })
        : Effect.fail(refusal)
    }),
    Effect.mapError((error) => failed(error))
  )
}

const maxReasonBytes = 2048

/** Returns the reason that a tool gives, redacted: users read it, and the journal stores it. */
const wordsOf = (text: string | undefined, { redaction }: DispatchContext): string | null =>
  text === undefined ? null : TruncateOutput.shorten(redaction.redact(text.toWellFormed()), maxReasonBytes)

/** Calls the functions of `egress`. A fault in them ends the call before anything is sent. */
const faultOfEgress = ({ parameters, tool: { egress } }: DecodedCall): string | null => {
  if (egress === null) return null
  return Result.match(
    Result.try({
      try: (): ReadonlyArray<unknown> => [egress.address?.(parameters) ?? "", ...(egress.texts?.(parameters) ?? [])],
      catch: describeThrown
    }),
    {
      onSuccess: (leaving) => {
        if (leaving.every((text) => typeof text === "string")) return null
        handleRejections(leaving)
        return "egress returned a value that is not a text"
      },
      onFailure: (thrown) => `egress failed: ${thrown}`
    }
  )
}

/** Resolving the host would reveal data that no user has approved, or that a rule protects. */
const mustNotLook = (call: AssessedCall, context: DispatchContext): boolean => {
  const { newHost, tainted } = call
  if (tainted !== null && canReadersSend(call)) return true
  const { policy } = context
  if (policy.rules.length === 0 || call.tool.egress?.address === undefined) return newHost !== null
  const subject = RuleFields.fromCall(call, context)
  return (newHost !== null && !Policy.allowsHost(policy, subject)) || Policy.guardsHost(policy, subject)
}

/**
 * True if `classify` and `preview` could send data. They have the capabilities that only read, so those of a tool that
 * reads here and sends with another capability, such as a push, cannot: its first approval shows the complete preview.
 */
const canReadersSend = ({ tool }: DecodedCall): boolean =>
  tool.capabilities.some(({ floor, sends }) => floor === "ReadOnly" && sends === true)

const floorOf = ({ tool }: DecodedCall, context: ToolContext.ToolContext): Pick<AssessedCall, "tier" | "raised"> => ({
  tier: minTier(tool, context),
  raised: reachOf(tool, context) === "Host" ? `${tool.name} runs as you, outside any sandbox` : null
})
