/** The fields of rules: the parameters of every compiled-in tool, and the host of tools that reach one. */
import { CallPaths, type Callers, HostRule, PathRule, type Rule, type RuleMatch } from "@bough/policy"
import { Capability, type Tool } from "@bough/tool"
import * as Result from "effect/Result"
import type { DecodedCall, AssessedCall } from "./Call.ts"
import type { DispatchContext, Registry } from "./DispatchContext.ts"
import * as Places from "./Places.ts"
import * as ToolCodecs from "./ToolCodecs.ts"

/**
 * The field names of each tool: its parameters, `path` if it takes paths, and `host` if it declares the host of a call.
 */
export const ruleFields = (registry: Registry): Rule.KnownFields =>
  new Map(Array.from(registry, ([name, tool]) => [name, namesOf(tool)]))

const namesOf = (tool: Tool.Any): ReadonlyArray<string> => {
  const { fieldNames, pathFields } = ToolCodecs.codecsOf(tool)
  const names = fieldNames()
  const hasPath = pathFields().size > 0 || names.some(PathRule.isPathField)
  const further = [
    ...(hasPath ? [PathRule.pathField] : []),
    ...(tool.egress?.address === undefined && !runsCommands(tool) ? [] : [HostRule.hostField])
  ]
  return [...new Set([...names, ...further])]
}

/** Returns every path that a rule names in a field that a tool of the rule declares as a path, or that is named so. */
export const rulePaths = (rule: Rule.Rule, registry: Registry): ReadonlyArray<string> => {
  const tools = rule.fields.length === 0 ? [] : rule.tool === "*" ? registry.values() : [registry.get(rule.tool)]
  const declared = Array.from(tools, (tool) => (tool === undefined ? [] : [...ToolCodecs.codecsOf(tool).pathFields()]))
  return CallPaths.rulePaths(rule, new Set(declared.flat()))
}

/** Rules about the hosts that a tool's commands reach are applied while the commands run. */
export const runsCommands = ({ capabilities }: Tool.Any): boolean =>
  capabilities.some(({ key }) => key === Capability.Execution.key)

/** Returns the destination of a call with these decoded arguments; null: it has none. */
export const destinationOf = ({ egress }: Tool.Any, parameters: unknown): HostRule.Destination | null => {
  const address = egress?.address?.(parameters)
  return address === undefined ? null : HostRule.destinationOf(address)
}

/** Returns a decoded call as rules see it; without rules nothing is resolved. */
export const fromCall = (
  call: RuledCall,
  context: Pick<DispatchContext, "policy" | "invocation" | "channel" | "context">
): RuleMatch.Subject => {
  if (context.policy.rules.length > 0) return subjectOfCall(call, context)
  const { workspaceRoot } = context.invocation
  return { tool: call.tool.name, arguments: null, defaults: {}, destination: null, workspaceRoot }
}

type RuledCall = Pick<DecodedCall, "tool" | "parameters" | "canonicalArguments"> &
  Pick<AssessedCall, "commands"> &
  Pick<Partial<AssessedCall>, "places">

/** The subject of a call for its rules; it does not depend on whether there are any. */
export const subjectOfCall = (
  { canonicalArguments, commands, parameters, places, tool }: RuledCall,
  context: Pick<DispatchContext, "invocation" | "channel" | "context">
): RuleMatch.Subject => ({
  tool: tool.name,
  arguments: JSON.parse(canonicalArguments),
  defaults: ToolCodecs.codecsOf(tool).defaults(),
  destination: destinationOf(tool, parameters),
  workspaceRoot: context.invocation.workspaceRoot,
  caller: callerOf(context),
  incidental: tool.incidental,
  ruleScope: tool.ruleScope,
  ...(commands === undefined ? {} : { commands }),
  ...(places ?? Places.declaredPaths(tool))
})

/** The caller's name in rules. */
export const callerOf = ({
  channel = null,
  context: { kind },
  invocation: { agent }
}: Pick<DispatchContext, "invocation" | "channel" | "context">): Callers.Caller => ({ agent, channel, kind })

/** Returns a call as rules see it; `canonicalArguments` is the text that was shown and digested. */
export const subjectOf = (tool: Tool.Any, canonicalArguments: string, workspaceRoot: string): RuleMatch.Subject => {
  const compiled = ToolCodecs.codecsOf(tool)
  const parameters: unknown = JSON.parse(canonicalArguments)
  const decoded = compiled.decodeParameters(parameters)
  return {
    tool: tool.name,
    arguments: parameters,
    defaults: compiled.defaults(),
    incidental: tool.incidental,
    ruleScope: tool.ruleScope,
    workspaceRoot,
    ...Places.declaredPaths(tool),
    destination: Result.isSuccess(decoded) ? destinationOf(tool, decoded.success) : null
  }
}
