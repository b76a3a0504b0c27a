/** What rules may speak of: the parameters of every compiled-in tool, and the host of those that go somewhere. */
import { HostRule, type Rule, type RuleMatch } from "@bough/policy"
import type { Tool } from "@bough/tool"
import * as Result from "effect/Result"
import type { Decoded } from "./Call.ts"
import type { Caller, Registry } from "./Caller.ts"
import * as Compiled from "./Compiled.ts"

/** By tool: the names of its parameters, and `host` where it says where a call goes. */
export const of = (registry: Registry): Rule.KnownFields =>
  new Map(Array.from(registry, ([name, tool]) => [name, namesOf(tool)]))

const namesOf = (tool: Tool.Any): ReadonlyArray<string> => {
  const names = Compiled.of(tool).fieldNames()
  return tool.egress?.address === undefined || names.includes(HostRule.hostField)
    ? names
    : [...names, HostRule.hostField]
}

/** Where a call with these decoded arguments goes; null: nowhere. */
export const destinationOf = ({ egress }: Tool.Any, parameters: unknown): HostRule.Destination | null => {
  const address = egress?.address?.(parameters)
  return address === undefined ? null : HostRule.destinationOf(address)
}

/** A decoded call as rules see it; where there are no rules, nothing is looked for. */
export const ofCall = (
  { canonicalArguments, parameters, tool }: Pick<Decoded, "tool" | "parameters" | "canonicalArguments">,
  { invocation: { workspaceRoot }, policy }: Pick<Caller, "policy" | "invocation">
): RuleMatch.Subject =>
  policy.rules.length === 0
    ? { tool: tool.name, arguments: null, defaults: {}, destination: null, workspaceRoot }
    : {
        tool: tool.name,
        arguments: JSON.parse(canonicalArguments),
        defaults: Compiled.of(tool).defaults(),
        destination: destinationOf(tool, parameters),
        workspaceRoot
      }

/** A call as rules see it; `canonicalArguments` is what was shown and digested. */
export const subjectOf = (tool: Tool.Any, canonicalArguments: string, workspaceRoot: string): RuleMatch.Subject => {
  const compiled = Compiled.of(tool)
  const given: unknown = JSON.parse(canonicalArguments)
  const decoded = compiled.decodeParameters(given)
  return {
    tool: tool.name,
    arguments: given,
    defaults: compiled.defaults(),
    workspaceRoot,
    destination: Result.isSuccess(decoded) ? destinationOf(tool, decoded.success) : null
  }
}
