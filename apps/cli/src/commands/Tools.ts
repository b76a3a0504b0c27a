/** `tools`: what is compiled in, as the model and the dispatcher know it. */
import type { Session } from "@bough/protocol"
import { Capability, type Tool, ToolSchema } from "@bough/tool"
import * as Effect from "effect/Effect"
import { registryOf, toolsOf } from "@bough/host/session/SessionAgent"
import * as Escape from "@bough/tui/text/Escape"
import { nearest } from "@bough/host/config/Nearest"
import type { Packs } from "@bough/host/Packs"
import type { Program } from "../Program.ts"
import { type SafeText, text } from "@bough/tui/text/SafeText"
import { type CliFailure, usage } from "../CliFailure.ts"
import { wrap } from "@bough/tui/text/Layout"
import * as Lists from "../io/Lists.ts"
import type { ListFormat } from "../command-line/Options.ts"

interface Listed {
  readonly name: string
  readonly description: string
  readonly tier: string
  readonly kinds: ReadonlyArray<Session.Kind>
}

const kinds = ["Main", "Branch", "Worker"] as const

const listed = (packs: Packs, tool: Tool.Any): Listed => ({
  name: tool.name,
  description: tool.description,
  tier: tool.tier,
  kinds: kinds.filter((kind) => Object.hasOwn(toolsOf(packs, kind).pack.tools, tool.name))
})

export const list = (program: Program, format: ListFormat): Effect.Effect<void> =>
  Effect.sync(() => {
    const { output, packs } = program
    const tools = [...registryOf(packs).values()].map((tool) => listed(packs, tool))
    if (format === "json") return output.json(tools, 2)
    const width = Math.max(0, ...tools.map(({ name }) => name.length))
    Lists.print(
      program,
      tools.map(({ description, kinds: held, name, tier }) => ({
        line: `${name.padEnd(width)}  ${tier.padEnd(9)}  ${held.join(" ").padEnd(18)}  ${description}`,
        title: name,
        facts: [tier, held.join(" "), description]
      }))
    )
  })

/** A tool by its name. */
export const find = ({ name: program, packs }: Program, name: string): Effect.Effect<Tool.Any, CliFailure> => {
  const registry = registryOf(packs)
  const tool = registry.get(name)
  if (tool !== undefined) return Effect.succeed(tool)
  const near = nearest(name, registry.keys())
  return Effect.fail(
    usage(
      `there is no tool ${JSON.stringify(name)}${near === null ? "" : `; did you mean ${near}?`}`,
      `${program} tools list names them`
    )
  )
}

export const show = (program: Program, name: string, format: ListFormat): Effect.Effect<void, CliFailure> => {
  const { output, packs } = program
  return Effect.map(find(program, name), (tool) => {
    const described = {
      ...listed(packs, tool),
      version: tool.version,
      replay: tool.replay,
      capabilities: tool.capabilities.map(({ key }) => Capability.shortName(key)),
      classifies: tool.classify !== null,
      previews: tool.preview !== null,
      parameters: ToolSchema.parameters(tool),
      output: ToolSchema.output(tool)
    }
    if (format === "json") output.json(described, 2)
    else for (const row of rows(described, output.columns())) output.answerEscaped(text`${row}\n`)
  })
}

const rows = (
  described: Listed & {
    readonly version: number
    readonly replay: string
    readonly capabilities: ReadonlyArray<string>
    readonly classifies: boolean
    readonly previews: boolean
    readonly parameters: unknown
    readonly output: unknown
  },
  columns: number
): ReadonlyArray<SafeText> => [
  Escape.line(`${described.name}, version ${described.version}`),
  ...wrap(Escape.text(described.description), columns),
  text``,
  Escape.line(`tier          ${described.tier}${described.classifies ? ", which a call's arguments may raise" : ""}`),
  Escape.line(`held by       ${described.kinds.join(", ")}`),
  Escape.line(`capabilities  ${described.capabilities.join(", ") || "none"}`),
  Escape.line(`replay        ${described.replay}`),
  text`preview       ${described.previews ? "yes" : "no"}`,
  text``,
  text`parameters    ${Escape.json(JSON.stringify(described.parameters, null, 2))}`,
  text`output        ${Escape.json(JSON.stringify(described.output, null, 2))}`
]
