/** Formats an event as lines for users; empty: the event is not shown. */
import { Entry, Event, type Message, OpenCalls, type Session, type SessionResult, type Usage } from "@bough/protocol"
import * as ArgumentText from "@bough/text/ArgumentText"
import type { Tool } from "@bough/tool"
import * as Escape from "@bough/tui/text/Escape"
import { cut } from "@bough/tui/text/Rows"
import { decimal, type SafeText, text } from "@bough/tui/text/SafeText"
import type { Style } from "@bough/tui/theme/Style"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SentKey from "../session/SentKey.ts"
import { diffPaint } from "./DiffPaint.ts"
import * as SamplingText from "./SamplingText.ts"
import * as TaskText from "./TaskText.ts"

export interface Screen {
  readonly columns: number
  readonly style: Style
  /**
   * True: rows are not cut and a change is shown as a diff, for a user who reads the output row by row or has it read
   * aloud.
   */
  readonly isWhole?: boolean
}

/** Cuts a row at the width of the screen, unless rows are shown whole. */
const cutToWidth = (row: SafeText, { columns, isWhole = false }: Screen): SafeText =>
  isWhole ? row : cut(row, columns)

type CallEnded = Extract<Entry.Body, { readonly _tag: "CallEnded" }>

/** The maximum number of lines that are shown of a change. */
const maxDetails = 200

/** Makes a printer of events. It remembers earlier events, to assign a later event to its call. */
export const make = (): ((event: Event.Event, screen: Screen) => ReadonlyArray<SafeText>) => {
  const sessions = new Map<Session.SessionId, OpenCalls.OpenCallsState>()
  const children = new Map<Session.SessionId, { readonly kind: Session.Kind; readonly task: string }>()
  /** Calls whose change was shown with the question about them. */
  const shownChanges = new Set<Session.ToolCallId>()
  /** Returns the lines of a change that no approval request has shown yet. */
  const changes = ({ outcome, toolCallId }: CallEnded, screen: Screen): ReadonlyArray<SafeText> => {
    const wasAsked = shownChanges.delete(toolCallId)
    if (screen.isWhole !== true || wasAsked || outcome._tag !== "Succeeded" || outcome.details === undefined) return []
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

  const entryLines = (entry: Entry.Entry, screen: Screen): ReadonlyArray<SafeText> => {
    const { style } = screen
    const { body, sessionId } = entry
    const calls = callsOf(sessionId)
    const open = "toolCallId" in body ? calls.openCalls.get(body.toolCallId) : undefined
    OpenCalls.append(calls, entry)
    switch (body._tag) {
      case "ModelReplied":
        return body.completion === "interrupted" ? [] : body.parts.flatMap((part) => callRequest(part, screen))
      case "CallDeferred":
        return [style.dim(cutToWidth(text`  ${Escape.line(deferredText(open?.call.name ?? "a call"))}`, screen))]
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
          style.dim(cutToWidth(text`${childSign(body.result)} ${Escape.line(childEnded(child, body.result))}`, screen))
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
      // Shown in full, in its own rows, by `MessageText`.
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

const callRequest = (part: Message.ReplyPart, screen: Screen): ReadonlyArray<SafeText> =>
  part._tag === "ToolCall"
    ? [
        screen.style.dim(
          cutToWidth(text`→ ${Escape.line(part.name)} ${Escape.line(readableArguments(part, screen))}`, screen)
        )
      ]
    : []

/** The maximum number of characters of a text argument where rows are not cut: a written file is shown as a diff. */
const maxTextLength = 160

const readableArguments = ({ arguments: callArguments }: Message.ToolCall, { isWhole = false }: Screen): string =>
  isWhole ? shortArguments(callArguments, maxTextLength) : shortArguments(callArguments)

/** Says that the approval stays pending while the agent continues. */
export const deferredText = (tool: string): string => `${tool} is waiting for approval; continuing with the rest`

type Result = SessionResult.SessionResult

export const childSign = ({ status }: Result): "✓" | "✗" => (status === "Completed" ? "✓" : "✗")

/**
 * `worker “read the docs” completed: it found nothing`, on one line; not escaped. `task`: "" where it is not known.
 */
export const childEnded = (
  { kind, task }: { readonly kind: Session.Kind; readonly task: string },
  { reason, status, summary }: Result
): string => {
  const named = task === "" ? kind.toLowerCase() : `${kind.toLowerCase()} “${task}”`
  return `${named} ${status.toLowerCase()}: ${reason === "" ? summary : reason}`.replaceAll(/\s+/gu, " ").trimEnd()
}

/** Returns a sentence without the name of its tool, where the name is already shown. */
export const withoutName = (sentence: string, tool: string): string =>
  sentence.startsWith(`${tool}: `) ? sentence.slice(tool.length + 2) : sentence

/** Returns the sentence about a call, and below it what the call had printed before it was stopped. */
const callEnd = (called: string, outcome: Entry.Outcome, screen: Screen): ReadonlyArray<SafeText> => {
  const { style } = screen
  const tool = Escape.line(called)
  const [sentence = "", ...below] = withoutName(Entry.failureText(outcome) ?? "", called).split("\n")
  const failure = Escape.line(sentence)
  switch (outcome._tag) {
    case "Succeeded":
      return [
        style.dim(
          cutToWidth(
            text`${succeededSign(outcome)} ${outcome.display === "" ? tool : Escape.line(outcome.display)}`,
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

/** The maximum number of lines below a sentence, from the end. */
const maxBelow = 5

const indent = (lines: ReadonlyArray<string>, screen: Screen): ReadonlyArray<SafeText> =>
  lines.slice(-maxBelow).map((line) => screen.style.dim(cutToWidth(text`  ${Escape.line(line)}`, screen)))

const exit = Schema.decodeUnknownOption(
  Schema.fromJsonString(
    Schema.Struct({
      exitCode: Schema.NullOr(Schema.Int),
      signal: Schema.optionalKey(Schema.String),
      commandId: Schema.optionalKey(Schema.String),
      reason: Schema.optionalKey(Schema.String)
    })
  )
)

/** A call whose command failed is still a successful call: the sign shows how the command ended. */
export const succeededSign = ({ output }: Extract<Entry.Outcome, { readonly _tag: "Succeeded" }>): "✓" | "✗" => {
  const ended = output.includes('"exitCode"') ? Option.getOrNull(exit(output)) : null
  if (ended === null) return failedAndCut.test(output) ? "✗" : "✓"
  const { commandId, exitCode, reason } = ended
  // A command that is left running has no exit code, and one that was stopped has a reason.
  const isMeant = reason !== undefined || (exitCode === null && commandId !== undefined)
  return exitCode === 0 || isMeant ? "✓" : "✗"
}

/** Matches the beginning of a failed command's output that is no longer JSON, because it was truncated. */
const failedAndCut = /^\{"exitCode":(?!0,)(?:null|-?\d+),(?!"signal":"[^"]*","commandId"|"commandId")/u

/**
 * Formats a call in one line as the model wrote it: `$ npm test` for a tool that runs commands, else the tool's name
 * and arguments.
 */
export const callLine = (tool: string, callArguments: string, role: Tool.Role | null): string => {
  const command = commandOf(callArguments, role)
  return command === null ? `${tool} ${shortArguments(callArguments)}`.trim() : `$ ${command.trim()}`
}

/** Returns the command that a call runs; null: its tool runs none, or its arguments have none. */
export const commandOf = (callArguments: string, role: Tool.Role | null): string | null =>
  role === "Command" ? (ArgumentText.parse(callArguments).find(({ name }) => name === "command")?.text ?? null) : null

/** Formats arguments as `path="a.txt" fromLine=3 edits=[…]`; leaves any other text unchanged. */
export const shortArguments = (callArguments: string, longest = Infinity): string => {
  try {
    const value: unknown = JSON.parse(callArguments)
    if (value === null || typeof value !== "object" || Array.isArray(value)) return callArguments
    return Object.entries(value)
      .map(([name, argument]) => `${name}=${shortValue(argument, longest)}`)
      .join(" ")
  } catch {
    return callArguments
  }
}

const maxValueLength = 24

/**
 * Shows lists and objects in full only if they are short: a long one that is cut shows little more than its brackets.
 */
const shortValue = (value: unknown, longest: number): string => {
  if (typeof value === "string" && value.length > longest) {
    return `${JSON.stringify(value.slice(0, longest))}… (${value.length - longest} more characters)`
  }
  const written = JSON.stringify(value)
  if (value === null || typeof value !== "object" || written.length <= maxValueLength) return written
  return Array.isArray(value) ? "[…]" : "{…}"
}

/** Formats a number as `940`, `16.3k`, `200k`, `1M` or `1.1M`. */
export const thousands = (count: number): SafeText => {
  if (count < 1000) return text`${count}`
  if (count < 99_950) return text`${decimal(count / 1000, 1)}k`
  // From here on the thousands would be rounded up to 1000.
  if (count < 999_500) return text`${decimal(count / 1000, 0)}k`
  const millions = Math.round(count / 100_000) / 10
  return text`${decimal(millions, Number.isInteger(millions) ? 0 : 1)}M`
}

/** Formats the tokens, with their cost if it is known. */
export const usage = ({ costUsd, inputTokens, outputTokens }: Usage.Usage): SafeText => {
  const cost = costUsd === null || costUsd === 0 ? text`` : text` · ${dollars(costUsd)}`
  return text`${thousands(inputTokens)} tokens in · ${thousands(outputTokens)} out${cost}`
}

export const dollars = (cost: number): SafeText => text`$${decimal(cost, cost < 0.01 ? 5 : 2)}`
