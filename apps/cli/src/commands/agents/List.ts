/** `agents list`: every agent that a session in this folder can use, with its origin and its purpose. */
import * as SettingsFile from "@bough/host/config/Settings"
import * as Escape from "@bough/tui/text/Escape"
import { text } from "@bough/tui/text/SafeText"
import * as Effect from "effect/Effect"
import { command as declare, type CommandOptions } from "../../command-line/CommandSpec.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import * as ListFlags from "../../command-line/flags/ListFlags.ts"
import type { Program } from "../../Program.ts"

export const parameters = { format: ListFlags.format }

export const list = Effect.fnUntraced(function* (
  program: Program,
  { cwd }: Common,
  { format }: CommandOptions<typeof parameters>
) {
  const { environment, name: programName, output } = program
  const {
    notices,
    extensions: { agents }
  } = yield* SettingsFile.load(environment, { ...SettingsFile.noOverrides, cwd }, null)
  for (const notice of notices) output.note(notice)
  if (format === "json") return output.json(agents, 2)
  if (agents.length === 0)
    return output.note(`no agents found; "${programName} agents --help" lists the places that are searched`)
  const width = Math.max(...agents.map(({ name }) => name.length))
  for (const { description, file, name } of agents) {
    output.answerEscaped(text`${Escape.line(`${name.padEnd(width)}  ${file}  ${description}`)}\n`)
  }
})

export const command = declare({ parameters, run: list })
