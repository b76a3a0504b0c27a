/** Finds a tool that the session has. A tool that only other kinds of session have is refused by name and never run. */
import { ToolError } from "@bough/protocol"
import * as Result from "effect/Result"
import type { RequestedCall, FoundCall } from "./Call.ts"
import { failed, type CallAborted } from "./CallAborted.ts"
import type { DispatchContext, Elsewhere, Registry } from "./DispatchContext.ts"
import { equivalents } from "./internal/foreignNames.ts"
import { nearest } from "./internal/NearNames.ts"

export const lookUp = (
  asked: RequestedCall,
  { context, elsewhere, registry, versionOf }: Pick<DispatchContext, "context" | "elsewhere" | "registry" | "versionOf">
): Result.Result<FoundCall, CallAborted> => {
  const { name, prior } = asked
  const current = registry.get(name)
  // A call keeps the version of the tool with which it was started.
  const tool =
    prior !== null && current !== undefined && current.version !== prior.version
      ? (versionOf?.(name, prior.version) ?? current)
      : current
  if (tool !== undefined) return Result.succeed({ ...asked, tool })
  const others = elsewhere?.(name) ?? null
  if (others?.why !== undefined) return Result.fail(failed(missingTool(name, others.why)))
  return Result.fail(failed(others === null ? unknownName(name, registry) : deniedTool(name, others, context.kind)))
}

const missingTool = (name: string, reason: string): ToolError.ExecutionError =>
  new ToolError.ExecutionError({ message: `${name} is not available: ${reason}` })

const deniedTool = (name: string, { kinds, tier }: Elsewhere, kind: string): ToolError.PermissionDenied =>
  new ToolError.PermissionDenied({
    tier,
    reason: `this ${kind} session does not hold ${name}: held by ${kinds.join(", ") || "another kind of session"}`
  })

const unknownName = (name: string, registry: Registry): ToolError.ValidationError => {
  const near = [...new Set([...equivalents(name, registry), ...nearest(name, registry.keys(), 3)])].slice(0, 3)
  const hint = near.length === 0 ? "" : `; the nearest: ${near.join(", ")}`
  return new ToolError.ValidationError({
    message: `unknown tool ${JSON.stringify(name.slice(0, 100))}${hint}`,
    issues: []
  })
}
