/** Formats an event as lines for users; empty: the event is not shown. */
import { Entry, Event, type Message, OpenCalls, type Session } from "@bough/protocol"
import * as Escape from "@bough/tui/text/Escape"
import { cut } from "@bough/tui/text/Rows"
import { type SafeText, text } from "@bough/tui/text/SafeText"
import type { Style } from "@bough/tui/theme/Style"
import * as SentKey from "../session/SentKey.ts"
import * as CallText from "./CallText.ts"
import * as ChildText from "./ChildText.ts"
import { diffPaint } from "./DiffPaint.ts"
import * as SamplingText from "./SamplingText.ts"
import * as TaskText from "./TaskText.ts"

export interface EventScreen {
  readonly columns: number
  readonly style: Style
  /**
   * True: rows are not cut and a change is shown as a diff, for a user who reads the output row by row or has it read
   * aloud.
   */
  readonly showsFullRows?: boolean
}

/** Cuts a row at the width of the screen, unless rows are shown in full. */
const cutToWidth = (row: SafeText, { columns, showsFullRows = false }: EventScreen): SafeText =>
  showsFullRows ? row : cut(row, columns)

type CallEnded = Extract<Entry.Body, { readonly _tag: "CallEnded" }>

/** The maximum number of lines that are shown of a change. */
const maxDetails = 200

/** Makes a printer of events. It remembers earlier events, to assign a later event to its call. */
export const make = (): ((event: Event.Event, screen: EventScreen) => ReadonlyArray<SafeText>) => {
  const sessions = new Map<Session.SessionId, OpenCalls.OpenCallsState>()
  const children = new Map<Session.SessionId, { readonly kind: Session.Kind; readonly task: string }>()
  /** Calls whose change was shown with the question about them. */
  const shownChanges = new Set<Session.ToolCallId>()
  /** Returns the lines of a change that no approval request has shown yet. */
  const changes = ({ outcome, toolCallId }: CallEnded, screen: EventScreen): ReadonlyArray<SafeText> => {
    const wasAsked = shownChanges.delete(toolCallId)
    if (screen.showsFullRows !== true || wasAsked || outcome._tag !== "Succeeded" || outcome.details === undefined)
      return []
    const lines = outcome.details.replace(/\n+$/u, "").split("\n")
    const more = lines.length - maxDetails
    return [
      ...lines.slice(0, maxDetails).map((line) => diffPaint(line, screen.style)(text`  ${Escape.text(line)}`)),
      ...(more > 0 ? [screen.style.dim(text`  ${more} more lines: the command diff shows all`)] : [])
    ]
  }
  const callsOf = (sessionId: Session.SessionId): OpenCalls.OpenCallsState => {
    const known = sessions.get(sessionId) ?? OpenCalls.empty()
    sessions.set(sessionId, known)
    return known
  }

  const entryLines = (entry: Entry.Entry, screen: EventScreen): ReadonlyArray<SafeText> => {
    const { style } = screen
    const { body, sessionId } = entry
    const calls = callsOf(sessionId)
    const open = "toolCallId" in body ? calls.openCalls.get(body.toolCallId) : undefined
    OpenCalls.append(calls, entry)
    switch (body._tag) {
      case "ModelReplied":
        return body.completion === "interrupted" ? [] : body.parts.flatMap((part) => callRequest(part, screen))
      case "CallDeferred":
        return [
          style.dim(cutToWidth(text`  ${Escape.line(CallText.deferredText(open?.call.name ?? "a call"))}`, screen))
        ]
      case "CallEnded":
        return [...callEnd(body.tool, body.outcome, screen), ...changes(body, screen)]
      case "ChildSpawned":
        // The call that started it already shows it.
        children.set(body.childId, { kind: body.kind, task: body.title })
        return []
      case "ChildEnded": {
        const child = children.get(body.childId)
        if (body.purpose !== undefined || child === undefined) return []
        return [
          style.dim(
            cutToWidth(
              text`${ChildText.childSign(body.result)} ${Escape.line(ChildText.childEnded(child, body.result))}`,
              screen
            )
          )
        ]
      }
      case "CommandEnded":
        return [style.dim(cutToWidth(Escape.line(TaskText.commandEndText(body)), screen))]
      case "SamplingStarted":
        return [style.dim(cutToWidth(text`  ${Escape.line(SamplingText.headline(body))}`, screen))]
      case "SamplingEnded":
        return [style.dim(cutToWidth(text`  ${Escape.line(SamplingText.samplingEndText(body))}`, screen))]
      case "ApprovalAsked":
        shownChanges.add(body.request.toolCallId)
        return []
      case "UserMessage":
        // The terminal already shows the user's own input.
        return SentKey.isSent(body.messageId) ? [cutToWidth(Escape.line(`› ${body.text}`), screen)] : []
      case "SessionOpened":
      case "ContextAdded":
      case "StepStarted":
      case "ApprovalDecided":
      case "RuleGiven":
      case "RuleRevoked":
      case "CallStarted":
      case "Compacted":
      case "StateChanged":
      case "SessionEnded":
        return []
    }
  }

  return (event, screen) => {
    const { style } = screen
    switch (event._tag) {
      case "Recorded":
        return entryLines(event.entry, screen)
      case "ToolProgressed":
        return [style.dim(cutToWidth(text`  ${Escape.line(Event.progressLine(event))}`, screen))]
      case "ApprovalEnded":
        return [
          style.dim(cutToWidth(text`  ${Escape.line(`${event.decision.toLowerCase()} by ${event.principal}`)}`, screen))
        ]
      case "Notice":
        return [cutToWidth(Escape.line(event.message), screen)]
      // Not shown here: the callers show messages, streamed text, questions and the end of a turn themselves.
      case "MessageSent":
      case "Attached":
      case "TurnStarted":
      case "TextDelta":
      case "ReasoningDelta":
      case "ToolStarted":
      case "ApprovalAsked":
      case "TurnEnded":
      // A failed turn is reported where its caller waits for the end.
      case "TurnFailed":
        return []
    }
  }
}

const callRequest = (part: Message.ReplyPart, screen: EventScreen): ReadonlyArray<SafeText> =>
  part._tag === "ToolCall"
    ? [
        screen.style.dim(
          cutToWidth(text`→ ${Escape.line(part.name)} ${Escape.line(readableArguments(part, screen))}`, screen)
        )
      ]
    : []

/** The maximum number of characters of a text argument in a full row: a file that a call writes is shown as a diff. */
const maxTextLength = 160

const readableArguments = (
  { arguments: callArguments }: Message.ToolCall,
  { showsFullRows = false }: EventScreen
): string =>
  showsFullRows ? CallText.shortArguments(callArguments, maxTextLength) : CallText.shortArguments(callArguments)

/** Returns the sentence about a call, and below it what the call had printed before it was stopped. */
const callEnd = (called: string, outcome: Entry.Outcome, screen: EventScreen): ReadonlyArray<SafeText> => {
  const { style } = screen
  const tool = Escape.line(called)
  const [sentence = "", ...below] = CallText.withoutName(Entry.failureText(outcome) ?? "", called).split("\n")
  const failure = Escape.line(sentence)
  switch (outcome._tag) {
    case "Succeeded":
      return [
        style.dim(
          cutToWidth(
            text`${CallText.succeededSign(outcome)} ${outcome.display === "" ? tool : Escape.line(outcome.display)}`,
            screen
          )
        )
      ]
    case "Failed":
    case "Rejected":
      return [style.red(cutToWidth(text`✗ ${tool}: ${failure}`, screen)), ...indent(below, screen)]
    case "Unknown":
      return [style.red(cutToWidth(text`? ${tool}: ${failure}`, screen)), ...indent(below, screen)]
    case "NotRun":
      return [style.dim(cutToWidth(text`- ${tool}: ${failure}`, screen))]
  }
}

/** Only the last lines of a stopped call's output are shown. */
const maxOutputLines = 5

const indent = (lines: ReadonlyArray<string>, screen: EventScreen): ReadonlyArray<SafeText> =>
  lines.slice(-maxOutputLines).map((line) => screen.style.dim(cutToWidth(text`  ${Escape.line(line)}`, screen)))
