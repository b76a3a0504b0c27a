/** What would become of a call, without asking anybody, running or recording anything. */
import type { Policy } from "@bough/policy"
import type { Approval, Entry, ToolError } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { RequestedCall, AssessedCall } from "./Call.ts"
import type { DispatchContext } from "./DispatchContext.ts"
import { evaluate, isRuleOfUse } from "./Decide.ts"
import * as Preconditions from "./Preconditions.ts"
import { understand } from "./Prepare.ts"
import type { CallAborted } from "./CallAborted.ts"
import { assessTier } from "./AssessTier.ts"

/** `Decided`: what the rules say of a call. `Stopped`: it does not come to that. */
export type Judgement =
  | { readonly _tag: "Decided"; readonly call: AssessedCall; readonly decision: Policy.Decision }
  | { readonly _tag: "Stopped"; readonly outcome: Entry.Outcome }

/** The tool's `classify` looks at the world, as it does before every call. */
export const judge = (asked: RequestedCall, context: DispatchContext): Effect.Effect<Judgement> =>
  Effect.suspend(() => {
    const understood = understand(asked, context)
    if (Result.isFailure(understood)) return Effect.succeed(stopped(understood.failure))
    return assessTier(understood.success, context).pipe(
      Effect.flatMap((call) =>
        Effect.map(settled(call, context), (decision): Judgement => ({ _tag: "Decided", call, decision }))
      ),
      Effect.catch((stop) => Effect.succeed(stopped(stop)))
    )
  })

/** An ask that no rule would answer says so, as it does when it is put before a person. */
const settled = (call: AssessedCall, context: DispatchContext): Effect.Effect<Policy.Decision> => {
  const decision = evaluate(call, context)
  return decision._tag !== "Ask" || decision.everyTime
    ? Effect.succeed(decision)
    : Effect.map(isRuleOfUse(call, context), (isOfUse) => ({ ...decision, everyTime: !isOfUse }))
}

const stopped = ({ outcome }: CallAborted): Judgement => ({ _tag: "Stopped", outcome })

/** What a person would be shown of a call that is asked about. */
export const preview = (
  call: AssessedCall,
  context: DispatchContext
): Effect.Effect<Approval.Preview, ToolError.ToolError> => Preconditions.shown(call, context)
