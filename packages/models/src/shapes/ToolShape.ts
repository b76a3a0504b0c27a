/**
 * The tools of a session in the shape that a family of models knows: converts declarations for the model, and calls
 * back.
 */
import type { Model } from "@bough/runtime"

export type Arguments = Readonly<Record<string, unknown>>

export interface Call {
  readonly name: string
  readonly arguments: Arguments
}

export interface ToolShape {
  readonly name: "anthropic" | "openai" | "gemini" | "qwen"
  /** The family's tools, each with the session's tools that it replaces; the first one is the fallback for calls. */
  readonly tools: Readonly<Record<string, ReadonlyArray<string>>>
  /** Makes the declaration of a family's tool from the declared tools that it replaces. */
  readonly declare: (name: string, ours: ReadonlyMap<string, Model.ToolDeclaration>) => Model.ToolDeclaration
  /** Converts a call of the model to calls of the session; a text is the error of an invalid call. */
  readonly toOurs: (call: Call) => ReadonlyArray<Call> | string
  /**
   * Converts calls of the session that came from one call back to it; null: this is impossible, and they stay
   * unchanged.
   */
  readonly toTheirs: (calls: ReadonlyArray<Call>) => Call | null
}

/** Returns the arguments without undefined ones. */
export const withoutAbsent = (fields: Arguments): Arguments =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

/** Makes an object schema; `required` names the first of its fields. */
export const objectOf = (
  properties: Readonly<Record<string, unknown>>,
  required: ReadonlyArray<string>
): Model.ToolDeclaration["parameters"] => ({ type: "object", properties, required, additionalProperties: false })

export const text = (description: string) => ({ type: "string", description })
export const integer = (description: string) => ({ type: "integer", description })

/** Returns a tool's schema of arguments, without some fields and with additional ones. */
export const parametersWith = (
  tool: Model.ToolDeclaration | undefined,
  without: ReadonlyArray<string>
): Readonly<Record<string, unknown>> => {
  const properties = tool?.parameters["properties"]
  return typeof properties === "object" && properties !== null
    ? Object.fromEntries(Object.entries(properties).filter(([name]) => !without.includes(name)))
    : {}
}

/** Returns the only edit of an `edit_file` call; null: it has several, or replaces all occurrences. */
export const onlyEdit = (call: Call): { readonly old: unknown; readonly new: unknown } | null => {
  const edits = call.arguments["edits"]
  if (!Array.isArray(edits) || edits.length !== 1) return null
  const [edit] = edits as ReadonlyArray<Arguments>
  return edit["replaceAll"] === undefined ? { old: edit["old"], new: edit["new"] } : null
}
