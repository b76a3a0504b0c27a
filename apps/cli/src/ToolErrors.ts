/**
 * Errors that the code of a tool throws after its call, such as in a timer or in a promise that no code awaits.
 * They are reported, and the session continues. Any other uncaught error is a fault of the program and ends it.
 */
import { HandlerOrigin } from "@bough/tool"
import * as Escape from "@bough/tui/text/Escape"
import { text, write } from "@bough/tui/text/SafeText"
import { inspect } from "node:util"
import { unexpectedFailure } from "./Failures.ts"
import * as ReplacedProgram from "./ReplacedProgram.ts"

/** Starts to report such errors of this process, and names the tool whose code ends the process. */
export const listen = (report: (text: string) => void): void => {
  process.on("exit", (code) => {
    const tool = HandlerOrigin.current()
    if (tool !== undefined) report(`a bug in the tool ${tool}: its code ended the process with exit code ${code}`)
  })
  process.on("uncaughtException", (error: unknown) => {
    const tool = HandlerOrigin.current()
    if (tool !== undefined) {
      return report(`a bug in the tool ${tool}: its code failed outside of a call: ${firstLine(error)}`)
    }
    if (ReplacedProgram.isCause(error)) {
      const { hint, message } = unexpectedFailure(error)
      report(`${message} — ${hint}`)
    } else write(process.stderr, text`${Escape.text(textOf(error))}\n`)
    process.exit(1)
  })
}

/** Returns the stack of an error, and any text for a value that cannot be printed. */
const textOf = (error: unknown): string => {
  try {
    return inspect(error)
  } catch {
    return "a thrown value that cannot be printed"
  }
}

const firstLine = (error: unknown): string => {
  try {
    return String(error).split("\n", 1)[0] ?? ""
  } catch {
    return textOf(error)
  }
}
