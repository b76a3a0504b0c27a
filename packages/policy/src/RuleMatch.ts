/** Compares a rule with a call. An allow must match for certain; an ask or a deny also matches if it may apply. */
import { Canonical, type Tier } from "@bough/protocol"
import * as Callers from "./Callers.ts"
import * as CallPaths from "./CallPaths.ts"
import * as CommandPattern from "./CommandPattern.ts"
import { type Destination, hostField, maybeTo, surelyTo } from "./HostRule.ts"
import { countedFrom, isPathField } from "./PathRule.ts"
import type { Field, Rule } from "./Rule.ts"

/** The facts that a rule is compared with. */
export interface Subject extends CallPaths.Places {
  readonly tool: string
  /** The decoded arguments as JSON, with defaults filled in. */
  readonly arguments: unknown
  /** Values of the arguments that were left out, by name. */
  readonly defaults: Readonly<Record<string, unknown>>
  /** The absolute path of the workspace root, with "/" between segments. */
  readonly workspaceRoot: string
  /** The destination; null: the call has none. A rule's `host` refers to it, unless an argument has that name. */
  readonly destination: Destination | null
  /** Absent: the caller is unknown. */
  readonly caller?: Callers.Caller
  /** Absent: the tier is unknown so far. */
  readonly tier?: Tier.Tier
  /**
   * The commands that the call runs, as its tool reads them. Absent: the tool was not asked, or it runs no commands.
   */
  readonly commands?: CommandPattern.Commands
  /** Arguments that do not change the effect of the call; dotted if they are nested. */
  readonly incidental?: ReadonlySet<string>
  /** `Tool`: the rule behind "always" covers all calls of the tool that are not Elevated. Comparisons ignore it. */
  readonly ruleScope?: "Tool" | null
}

/** True if the rule covers the call. */
export const matches = (rule: Rule, subject: Subject): boolean => {
  if (!isAbout(rule, { name: subject.tool, runsCommands: subject.commands !== undefined })) return false
  if (!Callers.includes(rule, subject)) return false
  const means = rule.effect === "allow" ? surely : maybe
  return rule.fields.every((field) => fieldMatches({ ...field, folder: rule.folder }, subject, means))
}

/** The pattern of commands in a rule; null: it has none. */
export const patternOf = ({ fields }: Rule): string | null => {
  const pattern = fields.find(({ name, value }) => CommandPattern.isPattern(name, value))
  return typeof pattern?.value === "string" ? pattern.value : null
}

/** Returns the call as if this were its only command. */
export const withCommand = (subject: Subject, command: ReadonlyArray<string>): Subject => ({
  ...subject,
  commands: [command]
})

/**
 * True if the rule is about calls of the tool. A deny or an ask about the first words of commands is about every tool
 * that runs commands, because the same command would otherwise run by another tool.
 */
export const isAbout = (rule: Rule, tool: { readonly name: string; readonly runsCommands: boolean }): boolean =>
  rule.tool === "*" ||
  rule.tool === tool.name ||
  (tool.runsCommands && rule.effect !== "allow" && patternOf(rule) !== null)

/** The comparisons of paths and hosts. */
interface Means {
  readonly paths: typeof CallPaths.mayMean
  readonly to: typeof surelyTo
  readonly commands: typeof CommandPattern.maybeMeans
}

const surely: Means = { paths: CallPaths.surelyMeans, to: surelyTo, commands: CommandPattern.surelyMeans }
const maybe: Means = { paths: CallPaths.mayMean, to: maybeTo, commands: CommandPattern.maybeMeans }
const exact: Means = { paths: CallPaths.surelyNames, to: surelyTo, commands: CommandPattern.surelyMeans }

/**
 * True if the rule covers exactly this call: it contains the full value of each argument that differs from its default.
 */
export const fixes = (rule: Rule, subject: Subject): boolean =>
  rule.tool === subject.tool &&
  rule.fields.every((field) => fieldMatches({ ...field, folder: rule.folder }, subject, exact)) &&
  namesAll(namedBy(rule), subject)

/**
 * The arguments that a rule names. A pattern matches the command in both of its forms, as a text and as a list of
 * words.
 */
const namedBy = (rule: Rule): ReadonlySet<string> =>
  new Set([...rule.fields.map(({ name }) => name), ...(patternOf(rule) === null ? [] : ["argv"])])

const namesAll = (named: ReadonlySet<string>, { arguments: callArguments, defaults, incidental }: Subject): boolean => {
  const isNamed = (name: string, value: unknown): boolean =>
    named.has(name) ||
    incidental?.has(name) === true ||
    (Object.hasOwn(defaults, name) && isSame(defaults[name], value)) ||
    (isRecord(value) && Object.entries(value).every(([key, nested]) => isNamed(`${name}.${key}`, nested)))
  return isRecord(callArguments) && Object.entries(callArguments).every(([name, value]) => isNamed(name, value))
}

const fieldMatches = (
  { folder, name, value }: Field & { readonly folder: string | undefined },
  subject: Subject,
  { commands, paths, to }: Means
): boolean => {
  if (CommandPattern.isPattern(name, value)) return commands(value, subject.commands, () => effectiveArguments(subject))
  if (typeof value === "string" && (isPathField(name) || subject.pathFields?.has(name) === true)) {
    return paths({ name, path: countedFrom(folder, value) }, subject)
  }
  const actual = valueAt(subject.arguments, name)
  if (name === hostField && actual === undefined) {
    return subject.destination !== null && typeof value === "string" && to(value, subject.destination)
  }
  return actual !== undefined && isSame(value, actual)
}

/** The arguments without those that do not change the effect of the call, such as the reason that the model gives. */
const effectiveArguments = ({ arguments: all, incidental }: Subject): unknown => {
  if (incidental === undefined || incidental.size === 0) return all
  const kept = (value: unknown, path: string): unknown =>
    isRecord(value)
      ? Object.fromEntries(
          Object.entries(value)
            .map(([key, nested]) => [key, `${path}${key}`, nested] as const)
            .filter(([, name]) => !incidental.has(name))
            .map(([key, name, nested]) => [key, kept(nested, `${name}.`)])
        )
      : value
  return kept(all, "")
}

/** True for equal JSON values. */
export const isSame = (a: unknown, b: unknown): boolean =>
  a === b || (isObject(a) && isObject(b) && Canonical.stringify(a) === Canonical.stringify(b))

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  value !== null && typeof value === "object" && !Array.isArray(value)

const valueAt = (value: unknown, name: string): unknown => {
  let at = value
  for (const key of name.split(".")) {
    if (!isRecord(at) || !Object.hasOwn(at, key)) return undefined
    at = at[key]
  }
  return at
}
