/** `use_tools`: declares tools that the system prompt only names. Its result records the declared tools. */
import { ToolError } from "@bough/protocol"
import { Capability, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { useToolsName } from "../journal/SessionState.ts"
import { ForeignDescriptions } from "./ForeignDescriptions.ts"

/** The parameters of the tool `use_tools`: the names of the tools to declare. */
export const parameters = Schema.Struct({ names: Schema.NonEmptyArray(Schema.String) })

/** The parameters for an agent with more tools than the prompt names. */
const searchingParameters = Schema.Struct({
  names: Schema.optionalKey(Schema.Array(Schema.String)),
  query: Schema.optionalKey(
    Schema.String.annotate({ description: "Words to find tools by, in their names and descriptions" })
  )
})

const description = "Declare more tools by name; call them in the next step"

/**
 * Makes the tool for these names; null: there is no further tool to declare. `live` are tools that the system prompt
 * does not name; null: the session has no such tools.
 */
export const make = (
  names: ReadonlyArray<string>,
  live: ReadonlyMap<string, Tool.Any> | null = null
): Tool.Any | null =>
  live === null || live.size === 0 ? (names.length === 0 ? null : byName(names)) : searchTool(names, live)

const byName = (names: ReadonlyArray<string>): Tool.Any =>
  Tool.make(useToolsName, {
    version: 1,
    description,
    tier: "ReadOnly",
    replay: "Safe",
    capabilities: [],
    parameters,
    output: Schema.Struct({ declared: Schema.Array(Schema.String) }),
    forModel: ({ declared }) => `Declared ${declared.join(", ")}`,
    execute: ({ names: wanted }) =>
      Effect.map(declarable(wanted, new Set(names)), (declared) =>
        Tool.result({ output: { declared }, display: `Declared ${declared.join(", ")}` })
      )
  })

const declarable = (
  wanted: ReadonlyArray<string>,
  names: ReadonlySet<string>
): Effect.Effect<ReadonlyArray<string>, ToolError.ValidationError> => {
  const issues = wanted.flatMap((name, index) =>
    names.has(name) ? [] : [{ path: `names.${index}`, message: `no tool ${name} to declare` }]
  )
  const listed = [...names]
  const more = listed.length > maxNamed ? `, and ${listed.length - maxNamed} more` : ""
  return issues.length === 0
    ? Effect.succeed(wanted)
    : Effect.fail(
        new ToolError.ValidationError({
          message: `there is ${listed.slice(0, maxNamed).join(", ")}${more}`,
          field: issues[0].path,
          issues
        })
      )
}

const maxNamed = 200
const maxFound = 20
const maxListed = 2000
const maxDescriptionLength = 200

interface ToolMatch {
  readonly name: string
  readonly description: string
}

/** True if the results of a live tool are foreign text, since its description is then foreign, too. */
const hasForeign = (live: ReadonlyMap<string, Tool.Any>): boolean =>
  [...live.values()].some(({ capabilities }) => Capability.labelsOf(capabilities).includes("untrusted"))

const searchTool = (names: ReadonlyArray<string>, live: ReadonlyMap<string, Tool.Any>): Tool.Any =>
  Tool.make(useToolsName, {
    version: 1,
    description: `${description}. Further ones: ${listing([...live.keys()])}`,
    tier: "ReadOnly",
    replay: "Safe",
    capabilities: hasForeign(live) ? [ForeignDescriptions] : [],
    parameters: searchingParameters,
    output: Schema.Struct({
      declared: Schema.Array(Schema.String),
      found: Schema.Array(Schema.Struct({ name: Schema.String, description: Schema.String }))
    }),
    forModel: ({ declared, found }) =>
      [
        ...(declared.length === 0 ? [] : [`Declared ${declared.join(", ")}`]),
        ...found.map(({ description: about, name }) => `${name}: ${about}`),
        ...(declared.length + found.length === 0 ? ["No tool fits these words"] : [])
      ].join("\n"),
    execute: ({ names: wanted = [], query }) =>
      Effect.map(declarable(wanted, new Set([...names, ...live.keys()])), (declared) => {
        const found = query === undefined ? [] : search(live, query)
        return Tool.result({
          output: { declared, found },
          display: declared.length === 0 ? `Found ${found.length} tools` : `Declared ${declared.join(", ")}`
        })
      })
  })

/** Returns the tools that match most of the words, best first. */
const search = (live: ReadonlyMap<string, Tool.Any>, query: string): ReadonlyArray<ToolMatch> => {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])]
  return [...live.values()]
    .map((tool) => ({ tool, score: scoreOf(tool, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, maxFound)
    .map(({ tool: { description: about, name } }) => ({
      name,
      description: about.slice(0, maxDescriptionLength).toWellFormed()
    }))
}

const scoreOf = ({ description: about, name }: Tool.Any, words: ReadonlyArray<string>): number => {
  const text = about.toLowerCase()
  return words.reduce((sum, word) => sum + (name.includes(word) ? 3 : text.includes(word) ? 1 : 0), 0)
}

/** Formats a group as `github__{get_issue,list_issues}`, or as the number of its tools if it is too large. */
const listing = (names: ReadonlyArray<string>): string => {
  const groups = Map.groupBy(names, (name) => name.slice(0, name.indexOf("__") + 2))
  const each = Math.floor(maxListed / groups.size)
  return [...groups]
    .map(([prefix, members]) => {
      const compactNames = `${prefix}{${members.map((name) => name.slice(prefix.length)).join(",")}}`
      return compactNames.length <= each ? compactNames : `${prefix}… (${members.length} tools, found by query)`
    })
    .join("; ")
    .slice(0, 2 * maxListed)
}
