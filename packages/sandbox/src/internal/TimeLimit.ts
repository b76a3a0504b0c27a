/** The error of a command that was killed at its time limit, with the output that it had printed by then. */
import { ToolError } from "@bough/protocol"
import { BoundedOutput } from "../BoundedOutput.ts"

const maxBytes = 12 * 1024

/** Makes the error. `texts`: the output of each stream. */
export const timeoutError = (elapsedMillis: number, texts: ReadonlyArray<string>): ToolError.Timeout => {
  const hint = soFar(texts)
  return new ToolError.Timeout({ elapsedMillis, ...(hint === "" ? {} : { hint }) })
}

/** The beginning and the end of the output, from which a model can find out why the command took so long. */
const soFar = (texts: ReadonlyArray<string>): string => {
  const printed = texts.map((text) => text.trimEnd()).filter((text) => text !== "")
  if (printed.length === 0) return ""
  const output = new BoundedOutput(maxBytes)
  output.push(Buffer.from(printed.join("\n")))
  return `its output so far:\n${output.text()}`
}

/** Returns the error of a command that exceeded its time, with a longer hint. */
export const withLongerHint = <E>(error: E, more: string): E | ToolError.Timeout =>
  error instanceof ToolError.Timeout
    ? new ToolError.Timeout({
        elapsedMillis: error.elapsedMillis,
        hint: error.hint === undefined ? more : `${error.hint}\n${more}`
      })
    : error
