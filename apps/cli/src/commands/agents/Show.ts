/** `agents show`: one agent with its model, tools, rules, limits and instructions. */
import * as SettingsFile from "@bough/host/config/Settings"
import * as Escape from "@bough/tui/text/Escape"
import { breakHard } from "@bough/tui/text/Rows"
import { join, text as safe } from "@bough/tui/text/SafeText"
import * as Effect from "effect/Effect"
import { command as declare, type CommandOptions } from "../../command-line/CommandSpec.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import * as ListFlags from "../../command-line/flags/ListFlags.ts"
import * as Shapes from "../../command-line/flags/Shapes.ts"
import type { Program } from "../../Program.ts"

const parameters = {
  name: Shapes.nameArgument("NAME", "Agent name, as listed by `agents list`"),
  format: ListFlags.format
}

const show = Effect.fnUntraced(function* (
  { environment, output }: Program,
  { cwd }: Common,
  { format, name }: CommandOptions<typeof parameters>
) {
  const { agent } = yield* SettingsFile.load(environment, { ...SettingsFile.noOverrides, cwd, agent: name }, null)
  if (agent === null) return
  if (format === "json") return output.json(agent, 2)
  const { description, digest, file, instructions, limits, model, rules, tools } = agent
  const facts = [
    `${name}: ${description}`,
    `file: ${file}`,
    `digest: ${digest}`,
    `model: ${model ?? "as configured"}`,
    `tools: ${tools?.join(", ") ?? "all tools of its session kind"}`,
    `rules: ${JSON.stringify(rules)}`,
    `limits: ${JSON.stringify(limits)}`
  ]
  const rows = [
    ...facts.map((fact) => Escape.line(fact)),
    safe``,
    ...breakHard(Escape.text(instructions), output.columns())
  ]
  output.answerEscaped(safe`${join(rows, safe`\n`)}\n`)
})

export const command = declare({ parameters, run: show })
