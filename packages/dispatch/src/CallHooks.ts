/** Port for the operator's programs around a call. They can restrict the policy's decision, but never extend it. */
import type { Session, Tier } from "@bough/protocol"
import type * as Effect from "effect/Effect"
import type { AssessedCall } from "./Call.ts"
import { describeThrown } from "./internal/describeThrown.ts"

export interface HookedCall {
  readonly toolCallId: Session.ToolCallId
  readonly tool: string
  /** The arguments as canonical JSON. */
  readonly arguments: string
  readonly tier: Tier.Tier
}

/** The strictest decision of the hooks; `reason` is a clause that names the hook. */
export interface Objection {
  readonly effect: "ask" | "deny"
  readonly reason: string
}

/** Denies the call because its hooks crashed: hooks that cannot run must not allow it. */
export const toObjection = (defect: unknown): Objection => ({
  effect: "deny",
  reason: `its hooks could not run: ${describeThrown(defect)}`
})

export interface CallHooks {
  /** Runs before the handler; null: no hook objects. */
  readonly before: (call: HookedCall) => Effect.Effect<Objection | null>
  /** Runs after the handler and before the result is recorded. `result`: the tool's sentence for users, or the error's message. */
  readonly after: (
    call: HookedCall,
    result: { readonly isError: boolean; readonly text: string }
  ) => Effect.Effect<void>
}

export const toHooked = ({ canonicalArguments, tier, tool, toolCallId }: AssessedCall): HookedCall => ({
  toolCallId,
  tool: tool.name,
  arguments: canonicalArguments,
  tier
})
