/** Warns a user who saves a note with something that looks like a secret; the note is saved anyway. */
import * as SecretPatterns from "@bough/memory/SecretPatterns"
import type { Program } from "../Program.ts"

/** `name`: the name by which users know the text. */
export const say = (program: Program, name: string, text: string): void => {
  const { hidden } = SecretPatterns.redact(text)
  if (hidden.length > 0)
    program.output.note(`${name} was saved unchanged, but may contain a secret: ${hidden.join(", ")}`)
}
