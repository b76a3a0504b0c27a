/** Shows a conversation in plain lines: the answer streams to stdout, everything else goes to stderr, line by line. */
import type { Entry, Event } from "@bough/protocol"
import * as Escape from "@bough/tui/text/Escape"
import { behindBar } from "@bough/tui/text/Layout"
import { join, type SafeText, text } from "@bough/tui/text/SafeText"
import * as CallText from "../../format/CallText.ts"
import * as EventText from "../../format/EventText.ts"
import { failureLines } from "../../format/FailureLines.ts"
import * as Figures from "../../format/Figures.ts"
import * as MessageText from "../../format/MessageText.ts"
import * as OutputText from "../../format/OutputText.ts"
import type { Output } from "../../io/Output.ts"
import * as AnswerStream from "./AnswerStream.ts"
import * as PausableEvents from "./PausableEvents.ts"

export interface ConversationView {
  readonly show: (event: Event.Event) => void
  /** Queues output until `release`, while a question is on the screen. */
  readonly hold: () => void
  readonly release: () => void
  /** Begins a new line if the answer left one unfinished. */
  readonly finishLine: () => void
  /** Writes a separate line while the answer streams; the answer continues below it. */
  readonly interject: (line: string) => void
  /** True if the running command is the user's own: its output is shown in full, and its progress only if it takes long. */
  readonly ownCommand: (runs: boolean) => void
}

/** The duration from which on a command is announced before it ends. */
const longMillis = 3_000

/** The maximum number of lines that show why a command failed. */
const linesOfFailure = 14

/** A screen reader reads each row once: nothing is cut off. */
const showsFullRows = true

export const make = (output: Output["Service"]): ConversationView => {
  const answer = AnswerStream.make(output)
  /** The start time of the user's own command; null: none runs. */
  let ownCommandMillis: number | null = null
  let main: Event.Event["sessionId"] | null = null
  const linesOf = EventText.make()

  const note = (line: SafeText): void => {
    answer.finishLine()
    output.noteEscaped(line)
  }
  /** Shows the actions of descendants, not their text, which arrives as their result. */
  const showDescendant = (event: Event.Event): void => {
    for (const line of linesOf(event, { columns: output.columns() - 2, style: output.style, showsFullRows }))
      note(text`  ${line}`)
  }
  const render = (event: Event.Event): void => {
    if (event._tag === "Attached") main = event.sessionId
    if (event._tag === "MessageSent") return note(join(MessageText.rows(event, output.columns()), text`\n`))
    if (event.sessionId !== main) return showDescendant(event)
    if (event._tag === "TextDelta") return answer.push(event.text)
    if (event._tag === "ReasoningDelta" && output.verbose) return note(output.style.dim(Escape.line(event.text)))
    if (event._tag === "TurnEnded") {
      answer.finishLine()
      if (output.stderrIsTerminal) output.noteEscaped(output.style.dim(Figures.usage(event.usage)))
      return
    }
    if (event._tag === "ToolProgressed" && isShort()) return
    const body = event._tag === "Recorded" ? event.entry.body : null
    if (body?._tag === "ModelReplied") answer.finishLine()
    for (const line of linesOf(event, { columns: output.columns(), style: output.style, showsFullRows })) note(line)
    if (body?._tag !== "CallEnded") return
    for (const row of ownCommandMillis === null ? failure(body.outcome) : outputOf(body.outcome)) note(row)
  }
  const isShort = (): boolean => ownCommandMillis !== null && Date.now() - ownCommandMillis < longMillis
  const outputOf = (outcome: Entry.Outcome): ReadonlyArray<SafeText> => {
    const { isText, text: printed } =
      outcome._tag === "Succeeded" ? OutputText.formatOutput(outcome) : OutputText.nothing
    return isText && printed !== "" ? behindBar(Escape.text(printed), output.columns()) : []
  }
  /** Returns the lines that show why a command of the agent failed. */
  const failure = (outcome: Entry.Outcome): ReadonlyArray<SafeText> => {
    if (outcome._tag !== "Succeeded" || CallText.succeededSign(outcome) === "✓") return []
    const { isText, text: printed } = OutputText.formatOutput(outcome)
    if (!isText || printed === "") return []
    return failureLines(printed.replace(/(?<!\n)\n+$/u, "").split("\n"), linesOfFailure).flatMap((line) =>
      behindBar(line._tag === "Line" ? Escape.text(line.text) : text`… ${line.lines} more lines`, output.columns())
    )
  }
  const events = PausableEvents.make(render)
  return {
    show: events.take,
    hold: () => {
      answer.finishLine()
      events.hold()
    },
    release: events.release,
    finishLine: answer.finishLine,
    interject: answer.interject,
    ownCommand: (runs) => {
      ownCommandMillis = runs ? Date.now() : null
    }
  }
}
