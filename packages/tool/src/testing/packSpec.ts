/**
 * The conformance kit: checks that every tool of a pack follows the contract, for any author and any test runner. A
 * check is a name and a function that rejects with the fault and the fix.
 */
import * as Effect from "effect/Effect"
import { checkArguments } from "../checkArguments.ts"
import * as Expected from "../Expected.ts"
import type * as Tool from "../Tool.ts"
import type * as ToolPack from "../ToolPack.ts"
import * as ToolSchema from "../ToolSchema.ts"
import * as Declaration from "./conformance/declarationRules.ts"
import * as Disturbances from "./conformance/disturbanceRules.ts"
import * as Effects from "./conformance/effectRules.ts"
import * as Endings from "./conformance/endingRules.ts"
import { sampleArguments } from "./conformance/sampleArguments.ts"
import { Nonconformance, refuse, type TestedTool, type TestWorld } from "./conformance/Subject.ts"

export { Nonconformance, type TestWorld }

/** The rules by which a tool is checked. */
export type Rule = keyof typeof rules

const rules = {
  "schemas survive JSON and every format": Declaration.schemas,
  "wrong arguments are refused by field": Declaration.wrongArguments,
  "the tier is honest": Effects.honestTier,
  "previews change nothing": Effects.harmlessPreviews,
  "the replay class holds": Effects.replayClass,
  "results fit their schema and bound": Endings.fittingResults,
  "failures are one of the four errors": Endings.fourErrors,
  "failures at every call are answered": Disturbances.answeredFailures,
  "kills at every call are recovered": Disturbances.recoveredKills,
  "interruption and timeout free everything": Endings.freedByInterruption
} satisfies Readonly<Record<string, (subject: TestedTool) => void | Effect.Effect<void>>>

export interface Check {
  readonly tool: string
  readonly rule: Rule
  /** The name of the check, `tool: rule`. */
  readonly name: string
  /** Rejects with `Nonconformance` if the tool breaks the rule. */
  readonly run: () => Promise<void>
}

export interface PackSpecOptions {
  /** Makes a new world for each run. Default: a world in which every capability is a fake that fails. */
  readonly provide?: () => TestWorld | Promise<TestWorld>
  /** The arguments as JSON, by tool, for sample calls in this world. Default: arguments made from the tool's schema. */
  readonly samples?: Readonly<Record<string, ReadonlyArray<unknown>>>
  /** Exports to the formats of providers, by name, such as those of `@bough/tool-formats`. */
  readonly formats?: TestedTool["formats"]
  /** Rules that do not apply to a tool, by tool, each with the reason. */
  readonly except?: Readonly<Record<string, Partial<Record<Rule, string>>>>
}

/** The checks of a pack. Run them one after another, because they observe the whole process. */
export const packSpec = checkArguments(
  "packSpec",
  [Expected.pack, Expected.optional(Expected.object('options, as in { samples: { read_file: [{ path: "a" }] } }'))],
  (pack: ToolPack.Any, options: PackSpecOptions = {}): ReadonlyArray<Check> => {
    const { except = {}, formats = {}, provide = () => ({}), samples = {} } = options
    const tools = Object.values<Tool.Any>(pack.tools)
    const known = new Set(tools.map(({ name }) => name))
    const stray = [...Object.keys(samples), ...Object.keys(except)].find((name) => !known.has(name))
    if (stray !== undefined) throw new Error(`the pack has no tool ${stray}: remove it from samples and except`)
    return tools.flatMap((tool) => {
      const subject: TestedTool = {
        tool,
        formats,
        open: provide,
        samples: samples[tool.name] ?? [sampleArguments(ToolSchema.parameters(tool))]
      }
      const exempt = except[tool.name] ?? {}
      return (Object.keys(rules) as ReadonlyArray<Rule>)
        .filter((rule) => exempt[rule] === undefined)
        .map((rule) => ({
          tool: tool.name,
          rule,
          name: `${tool.name}: ${rule}`,
          run: () =>
            Effect.runPromise(
              Effect.suspend(() => {
                if (subject.samples.length === 0) refuse(tool, "it has no sample arguments: give it one in samples")
                return rules[rule](subject) ?? Effect.void
              })
            )
        }))
    })
  }
)

/**
 * The two functions of a test runner with which a suite is made: those of node:test, vitest, jest and mocha are
 * accepted.
 */
export interface Runner {
  readonly describe: (name: string, body: () => void) => unknown
  readonly it: (name: string, body: () => Promise<void>) => unknown
}

/** Passes the checks to a test runner, one test each. */
export const describePack = checkArguments(
  "describePack",
  [
    Expected.string,
    Expected.list("the checks of packSpec(pack)"),
    Expected.object("a test runner, as in { describe, it }", { describe: Expected.callable, it: Expected.callable })
  ],
  (name: string, checks: ReadonlyArray<Check>, { describe, it }: Runner): void => {
    describe(name, () => {
      for (const check of checks) it(check.name, check.run)
    })
  }
)
