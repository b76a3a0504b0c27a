/** `tools show`: one tool with its JSON Schemas, tier, capabilities, and whether a call may be repeated. */
import { Capability, ToolSchema } from "@bough/tool"
import * as Escape from "@bough/tui/text/Escape"
import { breakHard } from "@bough/tui/text/Rows"
import { type SafeText, text } from "@bough/tui/text/SafeText"
import * as Effect from "effect/Effect"
import type { CliFailure } from "../../CliFailure.ts"
import { command as declare, type CommandOptions } from "../../command-line/CommandSpec.ts"
import * as CallFlags from "../../command-line/flags/CallFlags.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import * as ListFlags from "../../command-line/flags/ListFlags.ts"
import type { Program } from "../../Program.ts"
import * as CompiledTools from "../../tools/CompiledTools.ts"

const parameters = { name: CallFlags.tool, format: ListFlags.format }

const show = (
  program: Program,
  common: Common,
  { format, name }: CommandOptions<typeof parameters>
): Effect.Effect<void, CliFailure> => {
  const { output, packs } = program
  return Effect.map(
    Effect.zip(CompiledTools.find(program, name), CompiledTools.unmetRequirements(program, common)),
    ([tool, known]) => {
      const described = {
        ...CompiledTools.describe(packs, tool, known),
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
    }
  )
}

const rows = (
  described: CompiledTools.CompiledTool & {
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
  ...breakHard(Escape.text(described.description), columns),
  text``,
  Escape.line(`tier          ${described.tier}${described.classifies ? ", which a call's arguments may raise" : ""}`),
  Escape.line(
    `available to  ${described.missing === null ? described.kinds.join(", ") : `none: ${described.missing}`}`
  ),
  Escape.line(`capabilities  ${described.capabilities.join(", ") || "none"}`),
  Escape.line(`replay        ${described.replay}`),
  text`preview       ${described.previews ? "yes" : "no"}`,
  text``,
  text`parameters    ${Escape.json(JSON.stringify(described.parameters, null, 2))}`,
  text`output        ${Escape.json(JSON.stringify(described.output, null, 2))}`
]

export const command = declare({ parameters, run: show })
