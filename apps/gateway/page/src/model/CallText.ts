/** A tool call as text: its state, a summary in one line, its arguments and its result. Pure. */
import type { CallItem } from "./Item.ts"

export type Tone = "live" | "good" | "bad" | "wait" | "plain"

export interface CallState {
  readonly tone: Tone
  /** The label of the state; "" if the call succeeded. */
  readonly label: string
}

export const callState = ({ outcome, status }: Pick<CallItem, "outcome" | "status">): CallState => {
  if (outcome !== null) {
    switch (outcome._tag) {
      case "Succeeded":
        return commandState(outcome.output)
      case "Failed":
        return { tone: "bad", label: "failed" }
      case "Rejected":
        return { tone: "bad", label: "denied" }
      case "Unknown":
        return { tone: "bad", label: "outcome unknown" }
      case "NotRun":
        return { tone: "plain", label: "not run" }
    }
  }
  switch (status) {
    case "running":
      return { tone: "live", label: "running" }
    case "waiting":
      return { tone: "wait", label: "waits for approval" }
    case "deferred":
      return { tone: "wait", label: "deferred until it is approved" }
    case "requested":
    case "ended":
      return { tone: "plain", label: "requested" }
  }
}

/** Describes a call that succeeded, which may be that of a command that failed. */
const commandState = (output: string): CallState => {
  const ended = output.includes('"exitCode"') ? parseJson(output) : null
  if (typeof ended !== "object" || ended === null || !("exitCode" in ended) || "commandId" in ended) return succeeded
  if (ended.exitCode === 0) return succeeded
  if (typeof ended.exitCode === "number") return { tone: "bad", label: `exit ${ended.exitCode}` }
  return { tone: "bad", label: "signal" in ended ? `ended by ${String(ended.signal)}` : "failed" }
}

const succeeded: CallState = { tone: "good", label: "" }

/** Returns the summary of a call that has ended, or else its progress, or else its arguments. */
export const callSummary = (call: CallItem): string => {
  const { outcome } = call
  if (outcome?._tag === "Succeeded" && outcome.display !== "") return outcome.display
  if (outcome !== null && outcome._tag !== "Succeeded") return failureText(outcome)
  return call.progress === "" ? oneLine(call.arguments) : call.progress
}

type Failure = Exclude<NonNullable<CallItem["outcome"]>, { readonly _tag: "Succeeded" }>

const failureText = (outcome: Failure): string => {
  if (outcome._tag === "Unknown") return outcome.message
  if (outcome._tag === "NotRun") return outcome.reason
  const { error } = outcome
  switch (error._tag) {
    case "ValidationError":
      return error.message
    case "ExecutionError":
      return error.hint === undefined ? error.message : `${error.message} (${error.hint})`
    case "PermissionDenied":
      return error.userMessage === undefined ? error.reason : `${error.reason}: ${error.userMessage}`
    case "Timeout":
      return `timed out after ${error.elapsedMillis} ms${error.hint === undefined ? "" : `; ${error.hint}`}`
  }
}

/** Returns the result for users: its details, or else the text for the model. */
export const resultText = ({ outcome }: Pick<CallItem, "outcome">): string => {
  if (outcome === null) return ""
  if (outcome._tag !== "Succeeded") return failureText(outcome)
  return outcome.details ?? outcome.text ?? formatJson(outcome.output)
}

export interface ArgumentRow {
  readonly name: string
  readonly text: string
}

/** Returns the arguments by name. Text that is not a JSON object, or is incomplete, is one row. */
export const argumentRows = (callArguments: string): ReadonlyArray<ArgumentRow> => {
  const value = parseJson(callArguments)
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return callArguments.trim() === "" ? [] : [{ name: "arguments", text: callArguments }]
  }
  return Object.entries(value).map(([name, argument]) => ({
    name,
    text: typeof argument === "string" ? argument : JSON.stringify(argument, null, 2)
  }))
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const formatJson = (text: string): string => {
  const value = parseJson(text)
  return typeof value === "object" && value !== null ? JSON.stringify(value, null, 2) : text
}

const maxLineLength = 160

const oneLine = (callArguments: string): string => {
  const line = argumentRows(callArguments)
    .map(({ text }) => text.replaceAll(/\s+/gu, " ").trim())
    .join(" · ")
  return line.length > maxLineLength ? `${line.slice(0, maxLineLength)}…` : line
}
