/** One line for people of each thing that passes by. Pure; null: nothing is said of it. */
import { type Entry, type Event, ToolError, type Usage } from "@bough/protocol"
import * as Escape from "../Escape.ts"
import type { Style } from "../Output.ts"
import { cut } from "./Layout.ts"

export interface Screen {
  readonly columns: number
  readonly style: Style
}

export const line = (event: Event.Event, screen: Screen): string | null => {
  const { columns, style } = screen
  switch (event._tag) {
    case "ToolRequested":
      return style.dim(cut(`→ ${Escape.line(event.tool)} ${Escape.line(shortArguments(event.arguments))}`, columns))
    case "ToolProgressed":
      return style.dim(cut(`  ${Escape.line(event.message)}`, columns))
    case "ToolEnded":
      return ended(event.tool, event.outcome, screen)
    case "ApprovalEnded":
      return style.dim(cut(`  ${Escape.line(`${event.decision.toLowerCase()} by ${event.principal}`)}`, columns))
    case "Notice":
      return cut(Escape.line(event.message), columns)
    case "ChildSpawned":
      return style.dim(cut(`⑂ ${event.kind.toLowerCase()}: ${Escape.line(event.title)}`, columns))
    case "ChildEnded":
      return style.dim(cut(`⑂ ${event.kind.toLowerCase()} ${childEnd(event.result)}`, columns))
    case "Attached":
    case "TurnStarted":
    case "StepStarted":
    case "TextDelta":
    case "ReasoningDelta":
    case "StepEnded":
    case "ToolStarted":
    case "ApprovalAsked":
    case "FileChanged":
    case "StateChanged":
    case "TurnEnded":
      return null
  }
}

const childEnd = ({
  reason,
  status,
  summary
}: Extract<Event.Event, { readonly _tag: "ChildEnded" }>["result"]): string =>
  `${status.toLowerCase()}: ${Escape.line(reason === "" ? summary : reason)}`

const ended = (tool: string, outcome: Entry.Outcome, { columns, style }: Screen): string => {
  switch (outcome._tag) {
    case "Succeeded":
      return style.dim(cut(`✓ ${Escape.line(outcome.display === "" ? tool : outcome.display)}`, columns))
    case "Failed":
    case "Rejected":
      return style.red(cut(`✗ ${tool}: ${Escape.line(ToolError.describe(outcome.error))}`, columns))
    case "Unknown":
      return style.red(cut(`? ${tool}: ${Escape.line(outcome.message)}`, columns))
    case "NotRun":
      return style.dim(cut(`- ${tool}: ${Escape.line(outcome.reason)}`, columns))
  }
}

/** `path="a.txt" fromLine=3`; what is no JSON object stands as it was written. */
export const shortArguments = (text: string): string => {
  try {
    const value: unknown = JSON.parse(text)
    if (value === null || typeof value !== "object" || Array.isArray(value)) return text
    return Object.entries(value)
      .map(([name, given]) => `${name}=${JSON.stringify(given)}`)
      .join(" ")
  } catch {
    return text
  }
}

/** Tokens and, where it is known, what they cost. */
export const usage = ({ costUsd, inputTokens, outputTokens }: Usage.Usage): string => {
  const cost = costUsd === null || costUsd === 0 ? "" : ` · $${costUsd.toFixed(costUsd < 0.01 ? 5 : 2)}`
  return `${inputTokens} tokens in · ${outputTokens} out${cost}`
}
