/**
 * Prints an error with its hint on stderr: one line, which a terminal shows broken between words. `--verbose` adds the
 * details.
 */
import * as Escape from "@bough/tui/text/Escape"
import { sentence } from "@bough/tui/text/Layout"
import { text } from "@bough/tui/text/SafeText"
import { type CliFailure, hintFor } from "../CliFailure.ts"
import type { Program } from "../Program.ts"

export const print = (
  { name, output }: Pick<Program, "name" | "output">,
  { details, hint, message }: CliFailure
): void => {
  if (message === null) return
  const errorLine = Escape.line(hint === "" ? message : `${message} — ${hintFor(name, hint)}`)
  const fullLine = text`${output.style.red(text`${Escape.line(name)}:`)} ${errorLine}`
  const rows = output.stderrIsTerminal ? sentence(fullLine, output.columns()) : [fullLine]
  for (const row of rows) output.noteEscaped(row)
  if (output.verbose && details !== "") output.noteEscaped(Escape.text(details))
}
