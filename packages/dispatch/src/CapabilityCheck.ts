/** Refuses a tool whose capabilities the session lacks, before any of the tool's code runs. */
import { ToolError } from "@bough/protocol"
import { Capability, ToolContext } from "@bough/tool"
import * as Result from "effect/Result"
import type { Found } from "./Call.ts"
import { failed, type Stop } from "./Stop.ts"

export const check = (found: Found, context: ToolContext.ToolContext): Result.Result<Found, Stop> => {
  const { tool } = found
  const missing = ToolContext.missing(context, tool.capabilities)
  if (missing.length === 0) return Result.succeed(found)
  const names = missing.map(({ key }) => Capability.shortName(key)).join(", ")
  return Result.fail(
    failed(
      new ToolError.PermissionDenied({
        tier: tool.tier,
        reason: `this ${context.kind} session has no ${names}, which ${tool.name} needs`
      })
    )
  )
}
