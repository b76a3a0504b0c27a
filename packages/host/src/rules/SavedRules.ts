/**
 * Rules that the user saved beyond one conversation, each in its own file in the data directory. Rules for a project
 * are stored there too and not in its folder, so that a cloned repository cannot allow anything.
 */
import { Directory, SystemError } from "@bough/disk"
import * as SmallFile from "@bough/disk/SmallFile"
import { RuleExamples, RuleFields } from "@bough/dispatch"
import { type Rule, RuleText } from "@bough/policy"
import { Canonical } from "@bough/protocol"
import type { Agent, SessionRules } from "@bough/runtime"
import type { Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { readdirSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import * as RuleFolder from "./RuleFolder.ts"

const Stored = Schema.Struct({
  v: Schema.Literal(1),
  rule: Schema.NonEmptyString,
  scope: Schema.Literals(["project", "user"]),
  /** The folder in which and below which the rule applies; null: all folders. */
  workspaceRoot: Schema.NullOr(Schema.String),
  principal: Schema.String,
  keptAtMillis: Schema.Natural,
  /** The call for which the user made the rule; the rule must cover it. */
  match: Schema.optionalKey(Schema.Array(Schema.String))
})
export type SavedRule = typeof Stored.Type & { readonly id: string }

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Stored))

const directoryOf = (dataDirectory: string): string => join(dataDirectory, "rules")

/** Derives the id from the folder and the text of a rule, so that saving it twice makes one file. */
export const idOf = (where: string, rule: string): string =>
  `rul_${Canonical.digestOf([where, rule]).replace("sha256:", "").slice(0, 12)}`

const fileName = /^(rul_[0-9a-f]{12})\.json$/u

export interface FoundRules {
  readonly rules: ReadonlyArray<SavedRule>
  /** Files that cannot be read as a rule. */
  readonly damaged: ReadonlyArray<string>
}

/** Reads all saved rules, the oldest first. Throws if the directory cannot be read. */
export const all = (dataDirectory: string): FoundRules => {
  const directory = directoryOf(dataDirectory)
  const rules: Array<SavedRule> = []
  const damaged: Array<string> = []
  for (const name of namesIn(directory)) {
    const [, id] = fileName.exec(name) ?? []
    if (id === undefined) continue
    const path = join(directory, name)
    const stored = Result.try(() => SmallFile.read(path)).pipe(
      Result.getOrElse(() => ""),
      (text) => decode(text ?? "")
    )
    if (Option.isSome(stored)) rules.push({ ...stored.value, id })
    else damaged.push(path)
  }
  return { rules: rules.toSorted((a, b) => a.keptAtMillis - b.keptAtMillis), damaged }
}

const namesIn = (directory: string): ReadonlyArray<string> =>
  Result.getOrElse(
    Result.try(() => readdirSync(directory)),
    (error) => {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return []
      throw error
    }
  )

/** Reads the rules that apply in this folder: those of all folders, of this one and of the folders above it. */
export const forWorkspace = (dataDirectory: string, workspaceRoot: string): FoundRules => {
  const { damaged, rules } = all(dataDirectory)
  return { damaged, rules: rules.filter((rule) => appliesIn(rule, workspaceRoot)) }
}

/**
 * True if the rule counts in the folder. A rule that allows ends at the root of another repository: the user spoke of
 * the files of the folder, not of repositories that are cloned into it.
 */
const appliesIn = ({ rule, workspaceRoot: folder }: SavedRule, workspaceRoot: string): boolean => {
  if (folder === null || folder === workspaceRoot) return true
  if (!RuleFolder.isWithin(workspaceRoot, folder)) return false
  const parsed = RuleText.parse(rule)
  const isRestricting = Result.isSuccess(parsed) && parsed.success.effect !== "allow"
  return isRestricting || !RuleFolder.isInNestedRepository(workspaceRoot, folder)
}

/** Saves a rule. Throws if it cannot be written. */
export const saveRule = (dataDirectory: string, rule: Omit<typeof Stored.Type, "v">): void => {
  const directory = directoryOf(dataDirectory)
  Directory.make(directory)
  const stored: typeof Stored.Type = { v: 1, ...rule }
  SmallFile.replace(
    join(directory, `${idOf(rule.workspaceRoot ?? "", rule.rule)}.json`),
    JSON.stringify(stored, null, 1)
  )
}

/** Removes a rule. Throws if its file cannot be removed. */
export const remove = (dataDirectory: string, id: string): void =>
  rmSync(join(directoryOf(dataDirectory), `${id}.json`))

/**
 * Parses a saved rule with the current tools; fails if the rule does not cover the call for which the user made it.
 * Relative paths of the rule and of its call count from the rule's folder.
 */
export const toRule = (
  { match = [], rule, workspaceRoot }: SavedRule,
  world: RuleExamples.ExampleContext
): Result.Result<Rule.Rule, Rule.RuleInvalid> => {
  const folder = workspaceRoot ?? world.workspaceRoot
  return Result.flatMap(RuleText.read(rule, RuleFields.ruleFields(world.registry)), (read) =>
    RuleExamples.check(read, { match, notMatch: [] }, { ...world, workspaceRoot: folder })
  ).pipe(Result.map((checked) => (folder === world.workspaceRoot ? checked : { ...checked, folder })))
}

/** True for a rule about a tool of a server, which only a session knows. */
export const isForServer = ({ rule }: SavedRule, { registry }: RuleExamples.ExampleContext): boolean => {
  const parsed = RuleText.parse(rule)
  return Result.isSuccess(parsed) && parsed.success.tool.includes("__") && !registry.has(parsed.success.tool)
}

export interface RulesLocation {
  readonly dataDirectory: string
  readonly workspaceRoot: string
  readonly registry: ReadonlyMap<string, Tool.Any>
  /** Tools that appear and disappear, which rules may also name; absent: there are none. */
  readonly live?: Agent.LiveTools
}

/**
 * The rules for sessions of this folder. Rules that another process saves or revokes apply from the next call on: one call
 * asks for the rules several times, so the disk is checked once per turn of the event loop.
 */
export const port = ({
  dataDirectory,
  live,
  registry: compiled,
  workspaceRoot
}: RulesLocation): SessionRules.SavedRules => {
  const directory = directoryOf(dataDirectory)
  let seen: string | null = null
  let rules: ReadonlyArray<Rule.Rule> = []
  /** Undefined: not checked yet in this turn of the event loop. */
  let changed: bigint | null | undefined
  const forget = (): void => {
    changed = undefined
  }
  const read = (): ReadonlyArray<Rule.Rule> => {
    const registry = live === undefined ? compiled : new Map([...live.tools(), ...compiled])
    return forWorkspace(dataDirectory, workspaceRoot).rules.flatMap((saved) => {
      const parsedRule = toRule(saved, { registry, workspaceRoot })
      return Result.isSuccess(parsedRule) ? [parsedRule.success] : []
    })
  }
  return {
    now: () => {
      if (changed === undefined) {
        changed = changedAt(directory)
        setImmediate(forget)
      }
      const state = `${changed} ${live?.revision() ?? 0}`
      if (state !== seen) {
        // A directory that cannot be read allows nothing.
        rules = changed === null ? [] : Result.getOrElse(Result.try(read), () => [])
        seen = state
      }
      return rules
    },
    save: ({ call, principal, rule, scope }) =>
      Effect.clockWith((clock) =>
        Effect.try({
          try: () => {
            forget()
            saveRule(dataDirectory, {
              rule,
              scope,
              principal,
              workspaceRoot: scope === "project" ? workspaceRoot : null,
              keptAtMillis: clock.currentTimeMillisUnsafe(),
              match: call === null ? [] : [call]
            })
          },
          catch: SystemError.reason
        })
      )
  }
}

/** Returns the time of the last change of a directory; null: it does not exist. */
const changedAt = (directory: string): bigint | null =>
  statSync(directory, { bigint: true, throwIfNoEntry: false })?.mtimeNs ?? null
