/** Parses the answer of a hook: JSON on its output, or exit code 2 with the reason on its error output. Pure. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

export interface HookReply {
  readonly effect: "none" | "ask" | "deny"
  readonly reason: string
  /** Text for the model; "": none. */
  readonly context: string
}

/** How a hook ended; `exitCode` is null if a signal ended it. */
export interface HookExit {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

const Written = Schema.Struct({
  decision: Schema.optionalKey(Schema.Literals(["none", "ask", "deny"])),
  reason: Schema.optionalKey(Schema.String),
  context: Schema.optionalKey(Schema.String)
})
const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Written), { onExcessProperty: "error" })

const denyCode = 2
const maxTextLength = 10_000

const truncate = (text: string): string => text.trim().slice(0, maxTextLength).toWellFormed()

/** Returns the answer, or a clause that names its fault. */
export const read = ({ exitCode, stderr, stdout }: HookExit): HookReply | string => {
  const errorText = truncate(stderr)
  if (exitCode === denyCode)
    return { effect: "deny", reason: errorText === "" ? "it gave no reason" : errorText, context: "" }
  if (exitCode !== 0) {
    const endText = exitCode === null ? "was ended by a signal" : `ended with exit code ${exitCode}`
    return errorText === "" ? endText : `${endText}: ${errorText.split("\n").at(-1) ?? ""}`
  }
  if (stdout.trim() === "") return { effect: "none", reason: "", context: "" }
  const written = Option.getOrNull(decode(stdout))
  if (written === null) return 'did not answer with JSON such as {"decision":"deny","reason":"…"} or {"context":"…"}'
  const { context = "", decision = "none", reason = "it gave no reason" } = written
  return { effect: decision, reason: truncate(reason), context: truncate(context) }
}
