/** `skills list`: every skill that was found, its origin, and whether it is used. */
import * as Escape from "@bough/tui/text/Escape"
import { text } from "@bough/tui/text/SafeText"
import * as Effect from "effect/Effect"
import { command as declare, type CommandOptions } from "../../command-line/CommandSpec.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import * as ListFlags from "../../command-line/flags/ListFlags.ts"
import type { Program } from "../../Program.ts"
import * as FoundSkills from "../../skills/FoundSkills.ts"

export const parameters = { format: ListFlags.format }

export const list = Effect.fnUntraced(function* (
  program: Program,
  common: Common,
  { format }: CommandOptions<typeof parameters>
) {
  const { output } = program
  const found = yield* FoundSkills.find(program, common)
  if (format === "json") return output.json(found.map(FoundSkills.facts), 2)
  if (found.length === 0)
    return output.note(`no skills found; "${program.name} skills --help" lists the folders that are searched`)
  const width = Math.max(...found.map(({ name }) => (name ?? unnamed).length))
  for (const { description, file, from, name, problem } of found) {
    const remark = problem === null ? (description ?? "") : `not used, ${problem}`
    const line = `${(name ?? unnamed).padEnd(width)}  ${from.padEnd(7)}  ${file}  ${remark}`
    output.answerEscaped(text`${Escape.line(line)}\n`)
  }
})

const unnamed = "?"

export const command = declare({ parameters, run: list })
