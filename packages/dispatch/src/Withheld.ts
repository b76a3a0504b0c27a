/**
 * Paths that rules withhold from the file walks of a call. A rule that denies reading a folder applies to calls that
 * name the folder. If a list, search or copy of a parent folder would reach it, the workspace leaves the folder out,
 * for every tool.
 */
import { Callers, CallPaths, type Rule } from "@bough/policy"
import { Capability, type Tool, type ToolContext } from "@bough/tool"
import type { DecodedCall } from "./Call.ts"
import type { DispatchContext } from "./DispatchContext.ts"
import * as RuleFields from "./RuleFields.ts"
import * as ToolCodecs from "./ToolCodecs.ts"

/** Fields whose paths a call reads; fields for written paths and the working directory do not count. */
const readFrom: ReadonlySet<string> = new Set(["path", "paths", "from", "root"])

/** Returns the withheld paths; undefined: no rule withholds anything from the call. */
export const withheldOf = (call: DecodedCall, context: DispatchContext): ToolContext.WithheldLocations | undefined => {
  const { rules } = context.policy
  if (rules.length === 0) return undefined
  const places = rules.flatMap((rule) => placesOf(rule, call.tool, context))
  return places.length === 0 ? undefined : { places, report: ({ path, rule }) => void call.withheld.set(path, rule) }
}

const placesOf = (
  rule: Rule.Rule,
  tool: Tool.Any,
  context: DispatchContext
): ReadonlyArray<ToolContext.WithheldPath> => {
  if (rule.effect !== "deny" || rule.fields.length === 0) return []
  if (!Callers.includes(rule, { caller: RuleFields.callerOf(context) })) return []
  if (rule.tool !== "*" && rule.tool !== tool.name && !readsFiles(rule.tool, context)) return []
  const fields = ToolCodecs.codecsOf(context.registry.get(rule.tool) ?? tool).pathFields()
  if (!rule.fields.every(({ name }) => readFrom.has(name) || fields.has(name))) return []
  return CallPaths.rulePaths(rule, fields).map((path) => ({ path, rule: rule.text }))
}

const readsFiles = (name: string, { elsewhere, registry }: DispatchContext): boolean => {
  const tool = registry.get(name)
  return tool === undefined
    ? elsewhere?.(name)?.tier === "ReadOnly"
    : tool.tier === "ReadOnly" && tool.capabilities.some(({ key }) => key === Capability.WorkspaceRead.key)
}

/** The note about withheld paths, for the model and for users; null: nothing was left out. */
export const remarkOf = ({ withheld }: Pick<DecodedCall, "withheld">): string | null => {
  if (withheld.size === 0) return null
  const places = withheld.size === 1 ? "1 place was" : `${withheld.size} places were`
  return `${places} withheld by rule: ${[...new Set(withheld.values())].join("; ")}`
}
