/** A person may have any text remembered; what looks like a secret in it is said. */
import * as SecretPatterns from "@bough/memory/SecretPatterns"
import type { Program } from "../Program.ts"

/** `name`: what people know the text by. */
export const say = (program: Program, name: string, text: string): void => {
  const { hidden } = SecretPatterns.redact(text)
  if (hidden.length > 0)
    program.output.note(`${name} was saved unchanged, but may contain a secret: ${hidden.join(", ")}`)
}
