/** `vault list`: the names of the entries, how large they are and when they were saved. */
import * as Escape from "@bough/tui/text/Escape"
import { text } from "@bough/tui/text/SafeText"
import * as Effect from "effect/Effect"
import { command as declare, type CommandOptions } from "../../command-line/CommandSpec.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import * as ListFlags from "../../command-line/flags/ListFlags.ts"
import type { Program } from "../../Program.ts"
import * as OpenVault from "../../vault/OpenVault.ts"

export const parameters = { format: ListFlags.format }

export const list = Effect.fnUntraced(function* (
  program: Program,
  _common: Common,
  { format }: CommandOptions<typeof parameters>
) {
  const { name: programName, output } = program
  const { vault } = yield* OpenVault.open(program)
  const entries = yield* Effect.mapError(vault.list, OpenVault.toCliFailure)
  if (format === "json") return output.json(entries, 2)
  if (entries.length === 0) return output.note(`the vault is empty; "${programName} vault set NAME" adds an entry`)
  const width = Math.max(...entries.map(({ name }) => name.length))
  for (const { bytes, name, savedAtMillis } of entries) {
    const saved = new Date(savedAtMillis).toISOString().slice(0, 10)
    output.answerEscaped(text`${Escape.line(`${name.padEnd(width)}  ${bytes} bytes  saved ${saved}`)}\n`)
  }
})

export const command = declare({ parameters, run: list })
