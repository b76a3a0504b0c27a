/** Lines for people of each thing that passes by; none: nothing is said of it. */
import {
  Entry,
  type Event,
  type Message,
  OpenCalls,
  type Session,
  type SessionResult,
  type Usage
} from "@bough/protocol"
import type { Tool } from "@bough/tool"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Escape from "@bough/tui/text/Escape"
import type { Style } from "@bough/tui/theme/Style"
import { decimal, type SafeText, text } from "@bough/tui/text/SafeText"
import { cut } from "@bough/tui/text/Rows"
import * as TaskText from "./TaskText.ts"

export interface Screen {
  readonly columns: number
  readonly style: Style
}

/** Makes a printer of events. It remembers the events before, which say whose call an event is about. */
export const make = (): ((event: Event.Event, screen: Screen) => ReadonlyArray<SafeText>) => {
  const sessions = new Map<Session.SessionId, OpenCalls.OpenCallsState>()
  const children = new Map<Session.SessionId, { readonly kind: Session.Kind; readonly task: string }>()
  const callsOf = (sessionId: Session.SessionId): OpenCalls.OpenCallsState => {
    const known = sessions.get(sessionId) ?? OpenCalls.empty()
    sessions.set(sessionId, known)
    return known
  }

  const recorded = (entry: Entry.Entry, screen: Screen): ReadonlyArray<SafeText> => {
    const { columns, style } = screen
    const { body, sessionId } = entry
    const calls = callsOf(sessionId)
    const open = "toolCallId" in body ? calls.openCalls.get(body.toolCallId) : undefined
    OpenCalls.append(calls, entry)
    switch (body._tag) {
      case "ModelReplied":
        return body.completion === "interrupted" ? [] : body.parts.flatMap((part) => requested(part, screen))
      case "CallDeferred":
        return [style.dim(cut(text`  ${Escape.line(deferred(open?.call.name ?? "a call"))}`, columns))]
      case "CallEnded":
        return [ended(body.tool, body.outcome, screen)]
      case "ChildSpawned":
        // The call that started it already shows it.
        children.set(body.childId, { kind: body.kind, task: body.title })
        return []
      case "ChildEnded": {
        const child = children.get(body.childId)
        if (body.purpose !== undefined || child === undefined) return []
        return [style.dim(cut(text`${childSign(body.result)} ${Escape.line(childEnded(child, body.result))}`, columns))]
      }
      case "CommandEnded":
        return [style.dim(cut(Escape.line(TaskText.ended(body)), columns))]
      case "SessionOpened":
      case "UserMessage":
      case "ContextAdded":
      case "StepStarted":
      case "ApprovalAsked":
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
    const { columns, style } = screen
    switch (event._tag) {
      case "Recorded":
        return recorded(event.entry, screen)
      case "ToolProgressed":
        return [style.dim(cut(text`  ${Escape.line(event.message)}`, columns))]
      case "ApprovalEnded":
        return [
          style.dim(cut(text`  ${Escape.line(`${event.decision.toLowerCase()} by ${event.principal}`)}`, columns))
        ]
      case "Notice":
        return [cut(Escape.line(event.message), columns)]
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

const requested = (part: Message.ReplyPart, { columns, style }: Screen): ReadonlyArray<SafeText> =>
  part._tag === "ToolCall"
    ? [style.dim(cut(text`→ ${Escape.line(part.name)} ${Escape.line(shortArguments(part.arguments))}`, columns))]
    : []

/** Says that the approval stays pending while the agent continues. */
export const deferred = (tool: string): string => `${tool} is waiting for approval; continuing with the rest`

type Result = SessionResult.SessionResult

export const childSign = ({ status }: Result): "✓" | "✗" => (status === "Completed" ? "✓" : "✗")

/** `worker “read the docs” completed: it found nothing`; not escaped. `task`: "" where it is not known. */
export const childEnded = (
  { kind, task }: { readonly kind: Session.Kind; readonly task: string },
  { reason, status, summary }: Result
): string => {
  const named = task === "" ? kind.toLowerCase() : `${kind.toLowerCase()} “${task}”`
  return `${named} ${status.toLowerCase()}: ${reason === "" ? summary : reason}`
}

const ended = (called: string, outcome: Entry.Outcome, { columns, style }: Screen): SafeText => {
  const tool = Escape.line(called)
  switch (outcome._tag) {
    case "Succeeded":
      return style.dim(
        cut(text`${succeededSign(outcome)} ${outcome.display === "" ? tool : Escape.line(outcome.display)}`, columns)
      )
    case "Failed":
    case "Rejected":
      return style.red(cut(text`✗ ${tool}: ${Escape.line(Entry.failureText(outcome))}`, columns))
    case "Unknown":
      return style.red(cut(text`? ${tool}: ${Escape.line(Entry.failureText(outcome))}`, columns))
    case "NotRun":
      return style.dim(cut(text`- ${tool}: ${Escape.line(Entry.failureText(outcome))}`, columns))
  }
}

const exit = Schema.decodeUnknownOption(
  Schema.fromJsonString(
    Schema.Struct({
      exitCode: Schema.NullOr(Schema.Int),
      signal: Schema.optionalKey(Schema.String),
      commandId: Schema.optionalKey(Schema.String)
    })
  )
)

/** A command that ended badly was run well: its sign says how it ended. */
export const succeededSign = ({ output }: Extract<Entry.Outcome, { readonly _tag: "Succeeded" }>): "✓" | "✗" => {
  const ended = output.includes('"exitCode"') ? Option.getOrNull(exit(output)) : null
  return ended === null || ended.exitCode === 0 || ended.commandId !== undefined ? "✓" : "✗"
}

/** A call in a line, as its model wrote it: `$ npm test` of a tool that runs commands, else its name and its arguments. */
export const callLine = (tool: string, given: string, role: Tool.Role | null): string => {
  const command = role === "Command" ? argumentsOf(given).find(([name]) => name === "command")?.[1] : undefined
  return command === undefined ? `${tool} ${shortArguments(given)}`.trim() : `$ ${command.trim()}`
}

/** `path="a.txt" fromLine=3 edits=[…]`; what is no JSON object stands as it was written. */
export const shortArguments = (given: string): string => {
  try {
    const value: unknown = JSON.parse(given)
    if (value === null || typeof value !== "object" || Array.isArray(value)) return given
    return Object.entries(value)
      .map(([name, argument]) => `${name}=${shortValue(argument)}`)
      .join(" ")
  } catch {
    return given
  }
}

const longestValue = 24

/** Lists and objects are whole where they are short: the braces of long ones say little. */
const shortValue = (value: unknown): string => {
  const written = JSON.stringify(value)
  if (value === null || typeof value !== "object" || written.length <= longestValue) return written
  return Array.isArray(value) ? "[…]" : "{…}"
}

/**
 * The arguments of a call by name, strings without quotes; text that is no JSON object becomes one argument without a
 * name.
 */
export const argumentsOf = (given: string): ReadonlyArray<readonly [name: string, value: string]> => {
  try {
    const value: unknown = JSON.parse(given)
    if (value === null || typeof value !== "object" || Array.isArray(value)) return [["arguments", given]]
    return Object.entries(value).map(([name, argument]) => [
      name,
      typeof argument === "string" ? argument : JSON.stringify(argument)
    ])
  } catch {
    return given === "" ? [] : [["arguments", given]]
  }
}

/** `940`, `16.3k`. */
export const thousands = (count: number): SafeText =>
  count < 1000 ? text`${count}` : text`${decimal(count / 1000, 1)}k`

/** Formats the tokens, with their cost if it is known. */
export const usage = ({ costUsd, inputTokens, outputTokens }: Usage.Usage): SafeText => {
  const cost = costUsd === null || costUsd === 0 ? text`` : text` · ${dollars(costUsd)}`
  return text`${thousands(inputTokens)} tokens in · ${thousands(outputTokens)} out${cost}`
}

export const dollars = (cost: number): SafeText => text`$${decimal(cost, cost < 0.01 ? 5 : 2)}`
