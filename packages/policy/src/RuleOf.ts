/** The rule behind "always": the rule that a user who approves one call may save, as narrow as is useful. */
import type { Tier } from "@bough/protocol"
import type * as Schema from "effect/Schema"
import * as CallPaths from "./CallPaths.ts"
import * as CommandPattern from "./CommandPattern.ts"
import { type Destination, hostField, print } from "./HostRule.ts"
import { isPathField } from "./PathRule.ts"
import { type Field, isFieldName, isToolName, make, type Rule } from "./Rule.ts"
import { isRecord, isSame, type Subject } from "./RuleMatch.ts"

/** The longest rule that a reader can judge at a glance. */
const maxTextLength = 1_000

/**
 * Returns an allow rule that matches this call; null: none can be offered.
 *
 * - a call of a tool whose `ruleScope` is `Tool`, unless it is Elevated: the tool with any arguments, at the same host if
 *   the call has a destination
 * - a ReadOnly or Workspace call with paths and no command: the tool at these paths and below, with any other arguments
 * - a ReadOnly or Workspace call with a destination: the tool at that host, with its paths, method and command
 * - a System call with a destination: the tool at that host, by the same method
 * - an Elevated call of one simple command that its tool parses in full: the tool with commands of the same beginning
 * - any other: the tool with exactly these arguments; those at their default are left out
 */
export const ruleOf = (call: Subject & { readonly tier: Tier.Tier }): Rule | null => {
  if (!isRecord(call.arguments)) return null
  if (call.ruleScope === "Tool" && call.tier !== "Elevated") {
    const destination = Object.hasOwn(call.arguments, hostField) ? null : call.destination
    return destination === null ? ruleForTool(call.tool, []) : ruleForHost(call.tool, destination)
  }
  const stated = Object.entries(call.arguments).filter(([name, value]) => !isDefault(call, name, value))
  const isPath = (name: string): boolean => isPathField(name) || call.pathFields?.has(name) === true
  if (CallPaths.callPaths(call.arguments, call.pathFields).some(({ written }) => hasParent(written))) return null
  const paths = stated.filter(([name, value]) => isPath(name) && typeof value === "string")
  const isMild = call.tier === "ReadOnly" || call.tier === "Workspace"
  const byPath = isMild && paths.length > 0 && !stated.some(([name]) => isCommand(name))
  const toHost = call.tier !== "Elevated" && call.destination !== null && !Object.hasOwn(call.arguments, hostField)
  const besides = stated.filter(([name]) => name === "method" || (isMild && (isPath(name) || isCommand(name))))
  const pattern = patternFor(call)
  const withoutCommands = pattern === null ? stated : stated.filter(([name]) => !isCommand(name))
  const named = toHost
    ? besides
    : byPath
      ? paths
      : call.tier === "Elevated"
        ? withoutCommands.flatMap(withParts(call))
        : stated
  const fields = [
    ...(toHost ? [[hostField, print(call.destination)] as const] : []),
    ...(pattern === null || named === besides ? [] : [[CommandPattern.commandField, pattern] as const]),
    ...named
  ].map(([name, value]): Field => ({ name, value: value as Schema.Json }))
  const isOdd = stated.some(([name]) => name.includes("."))
  if (!isToolName(call.tool) || isOdd || fields.some(({ name }) => !isFieldName(name))) return null
  const rule = make("allow", call.tool, fields)
  return rule.text.length > maxTextLength ? null : rule
}

/**
 * Offers a pattern for a call that runs one simple command beyond its usual reach: otherwise each similar command would
 * need approval again.
 */
const patternFor = ({ commands, tier }: Subject & { readonly tier: Tier.Tier }): string | null =>
  tier === "Elevated" && commands?.length === 1 ? CommandPattern.patternOf(commands[0]) : null

/** Returns an argument without its incidental parts. */
const withParts =
  ({ incidental = new Set() }: Subject) =>
  ([name, value]: readonly [string, unknown]): ReadonlyArray<readonly [string, unknown]> => {
    if (incidental.has(name)) return []
    const parts = isRecord(value) ? Object.entries(value).map(([key, part]) => [`${name}.${key}`, part] as const) : []
    return parts.some(([part]) => incidental.has(part))
      ? parts.filter(([part]) => !incidental.has(part))
      : [[name, value]]
  }

/** Returns the rule that allows every command of a tool to reach a host; null: there is none. */
export const ruleForHost = (tool: string, destination: Destination): Rule | null =>
  ruleForTool(tool, [{ name: hostField, value: print(destination) }])

const ruleForTool = (tool: string, fields: ReadonlyArray<Field>): Rule | null =>
  isToolName(tool) ? make("allow", tool, fields) : null

/** True for an argument that identifies the command; its working directory does not. */
const isCommand = (name: string): boolean => name === "argv" || name === "command"

const isDefault = ({ defaults }: Subject, name: string, value: unknown): boolean =>
  Object.hasOwn(defaults, name) && isSame(defaults[name], value)

const hasParent = (path: string): boolean => path.split("/").includes("..")
