/**
 * Formats a tool's result for users: its details, else the text for the model, else the texts in its output, else its
 * JSON. Pure; not escaped.
 */
import type { Entry } from "@bough/protocol"

export interface OutputText {
  readonly text: string
  /** True for text such as a file or printed output; false for data of the tool. */
  readonly isText: boolean
}

export const nothing: OutputText = { text: "", isText: false }

/** Shows users a file or a command's output without the line numbers and trailing notes that a model reads. */
export const formatOutput = ({ details, output, text }: Entry.SuccessOutcome): OutputText => {
  if (details !== undefined) return { text: details, isText: true }
  const typed = ofOutput(output)
  if (text === undefined || (typed.isText && parse(output) !== undefined)) return typed
  // A single line adds nothing to the tool's own sentence.
  return { text, isText: text.includes("\n") }
}

/** The fields with what a command printed, which may be a single line without its end. */
const streams: ReadonlySet<string> = new Set(["stdout", "stderr"])

/**
 * Text of several lines is the requested content; flags and counts beside it are in the tool's sentence.
 * `output` is JSON text as the model reads it; after a truncation it is no longer valid JSON.
 */
const ofOutput = (output: string): OutputText => {
  const value = parse(output)
  if (value === undefined) return { text: output, isText: true }
  if (typeof value === "string") return { text: value, isText: true }
  if (value === null || typeof value !== "object" || Array.isArray(value)) return data(value)
  const texts = Object.entries(value)
    .filter(([name, text]) => typeof text === "string" && (text.includes("\n") || (text !== "" && streams.has(name))))
    .map(([, text]) => text as unknown)
  return texts.length === 0
    ? data(value)
    : { text: texts.map((text) => String(text).replace(/\n+$/u, "")).join("\n"), isText: true }
}

const data = (value: unknown): OutputText => ({ text: JSON.stringify(value, null, 2), isText: false })

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
