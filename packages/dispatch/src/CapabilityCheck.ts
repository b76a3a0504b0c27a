/** Refuses a tool that the session may not call, before any of the tool's code runs. */
import { Tier, ToolError } from "@bough/protocol"
import { Capability, type Tool, ToolContext } from "@bough/tool"
import * as Result from "effect/Result"
import type { FoundCall } from "./Call.ts"
import { failed, type CallAborted } from "./CallAborted.ts"

export const check = (found: FoundCall, context: ToolContext.ToolContext): Result.Result<FoundCall, CallAborted> => {
  const { tool } = found
  const missing = ToolContext.missing(context, tool.capabilities)
  if (missing.length > 0) {
    const names = missing.map(({ key }) => Capability.shortName(key)).join(", ")
    return denyFloor(tool.tier, `this ${context.kind} session has no ${names}, which ${tool.name} needs`)
  }
  const refusal = refusalOf(found, context, { tier: minTier(tool, context), raised: null })
  return refusal === null ? Result.succeed(found) : denyFloor(refusal.tier, refusal.reason)
}

/**
 * Enforces that a Worker only reads: none of its calls is above ReadOnly, regardless of the tool, its `classify` or a
 * policy. Null: the call may proceed.
 */
export const refusalOf = (
  { tool }: FoundCall,
  { kind }: ToolContext.ToolContext,
  { raised, tier }: { readonly tier: Tier.Tier; readonly raised: string | null }
): ToolError.PermissionDenied | null =>
  kind === "Worker" && tier !== "ReadOnly"
    ? new ToolError.PermissionDenied({
        tier,
        reason: `a Worker only reads, and this call of ${tool.name} is ${tier}${
          raised === null ? "" : ` (${raised})`
        }: leave it to the session that started this one`
      })
    : null

/** The lowest tier that a call of the tool can have in this session. */
export const minTier = ({ capabilities, tier }: Tool.Any, context: ToolContext.ToolContext): Tier.Tier => {
  // An unknown tier of an unchecked declaration counts as the highest.
  let minimum: Tier.Tier = Tier.isTier(tier) ? tier : "Elevated"
  for (const capability of capabilities) {
    minimum = Tier.max(minimum, floorOf(capability))
    if (context.capabilities.get(capability.key)?.reach === "Host") return "Elevated"
  }
  return minimum
}

/** The lowest tier of a tool that uses the capability. */
export const floorOf = (capability: Capability.Any): Tier.Tier =>
  Tier.max(capability.floor, Capability.floorOf(capability))

const denyFloor = (tier: Tier.Tier, reason: string): Result.Result<never, CallAborted> =>
  Result.fail(failed(new ToolError.PermissionDenied({ tier, reason })))
