/** Formats a tool call: its arguments in one line, and how it ended. Pure; the text is not escaped. */
import type { Entry } from "@bough/protocol"
import * as ArgumentText from "@bough/text/ArgumentText"
import type { Tool } from "@bough/tool"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

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

/**
 * Formats a JSON object of arguments as `path="a.txt" fromLine=3 edits=[…]`, and leaves any other text unchanged. Cuts
 * text arguments at `maxTextLength` characters.
 */
export const shortArguments = (callArguments: string, maxTextLength = Infinity): string => {
  try {
    const value: unknown = JSON.parse(callArguments)
    if (value === null || typeof value !== "object" || Array.isArray(value)) return callArguments
    return Object.entries(value)
      .map(([name, argument]) => `${name}=${shortValue(argument, maxTextLength)}`)
      .join(" ")
  } catch {
    return callArguments
  }
}

/** The maximum number of characters of a list or an object that is shown in full. */
const maxValueLength = 24

/**
 * Shows lists and objects in full only if they are short: a long one that is cut shows little more than its brackets.
 */
const shortValue = (value: unknown, maxTextLength: number): string => {
  if (typeof value === "string" && value.length > maxTextLength) {
    return `${JSON.stringify(value.slice(0, maxTextLength))}… (${value.length - maxTextLength} more characters)`
  }
  const written = JSON.stringify(value)
  if (value === null || typeof value !== "object" || written.length <= maxValueLength) return written
  return Array.isArray(value) ? "[…]" : "{…}"
}

/** Says that the approval stays pending while the agent continues. */
export const deferredText = (tool: string): string => `${tool} is waiting for approval; continuing with the rest`

/** Returns a sentence without the name of its tool, where the name is already shown. */
export const withoutName = (sentence: string, tool: string): string =>
  sentence.startsWith(`${tool}: `) ? sentence.slice(tool.length + 2) : sentence

/** Decodes the output of a tool that runs commands. */
const decodeCommandEnd = Schema.decodeUnknownOption(
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
  const ended = output.includes('"exitCode"') ? Option.getOrNull(decodeCommandEnd(output)) : null
  if (ended === null) return failedAndCut.test(output) ? "✗" : "✓"
  const { commandId, exitCode, reason } = ended
  // A command that is left running has no exit code, and one that was stopped has a reason.
  const isIntendedEnd = reason !== undefined || (exitCode === null && commandId !== undefined)
  return exitCode === 0 || isIntendedEnd ? "✓" : "✗"
}

/** Matches the beginning of a failed command's output that is no longer JSON, because it was truncated. */
const failedAndCut = /^\{"exitCode":(?!0,)(?:null|-?\d+),(?!"signal":"[^"]*","commandId"|"commandId")/u
