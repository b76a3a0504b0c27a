/** The four kinds of failed calls, distinguished by who can act on them. */
import * as Schema from "effect/Schema"
import { Tier } from "./Tier.ts"

/** One fault of the arguments; `path` is dotted, "" for the whole value. */
export const Issue = Schema.Struct({ path: Schema.String, message: Schema.String })
export type Issue = typeof Issue.Type

/** The arguments are wrong: the model may correct them twice. */
export class ValidationError extends Schema.TaggedError<ValidationError>()("ValidationError", {
  message: Schema.String,
  field: Schema.optionalKey(Schema.String),
  issues: Schema.Array(Issue)
}) {}

/** The call was valid but did not succeed; it is not retried. `hint` names the fix. */
export class ExecutionError extends Schema.TaggedError<ExecutionError>()("ExecutionError", {
  message: Schema.String,
  hint: Schema.optionalKey(Schema.String)
}) {}

/** The call is not allowed: never retried. `userMessage` is the text of the user who denied it. */
export class PermissionDenied extends Schema.TaggedError<PermissionDenied>()("PermissionDenied", {
  tier: Tier,
  reason: Schema.String,
  userMessage: Schema.optionalKey(Schema.String)
}) {
  override get message(): string {
    return this.userMessage === undefined ? this.reason : `${this.reason}: ${this.userMessage}`
  }
}

/** The call timed out: retried with backoff if the tool's `replay` allows it, else reported. */
export class Timeout extends Schema.TaggedError<Timeout>()("Timeout", {
  elapsedMillis: Schema.Natural,
  /** The state at the timeout, such as the output so far. */
  hint: Schema.optionalKey(Schema.String)
}) {
  override get message(): string {
    return `timed out after ${this.elapsedMillis} ms`
  }
}

export const ToolError = Schema.Union([ValidationError, ExecutionError, PermissionDenied, Timeout])
export type ToolError = typeof ToolError.Type

/** The four errors as plain data, for the journal and the wire. */
export const ToolErrorData = Schema.TaggedUnion({
  ValidationError: { message: Schema.String, field: Schema.optionalKey(Schema.String), issues: Schema.Array(Issue) },
  ExecutionError: { message: Schema.String, hint: Schema.optionalKey(Schema.String) },
  PermissionDenied: { tier: Tier, reason: Schema.String, userMessage: Schema.optionalKey(Schema.String) },
  Timeout: { elapsedMillis: Schema.Natural, hint: Schema.optionalKey(Schema.String) }
})
export type ToolErrorData = typeof ToolErrorData.Type

/** Converts an error instance to plain data. */
export const toData = (error: ToolError): ToolErrorData => {
  switch (error._tag) {
    case "ValidationError":
      return {
        _tag: "ValidationError",
        message: error.message,
        issues: error.issues,
        ...(error.field === undefined ? {} : { field: error.field })
      }
    case "ExecutionError":
      return {
        _tag: "ExecutionError",
        message: error.message,
        ...(error.hint === undefined ? {} : { hint: error.hint })
      }
    case "PermissionDenied":
      return {
        _tag: "PermissionDenied",
        tier: error.tier,
        reason: error.reason,
        ...(error.userMessage === undefined ? {} : { userMessage: error.userMessage })
      }
    case "Timeout":
      return {
        _tag: "Timeout",
        elapsedMillis: error.elapsedMillis,
        ...(error.hint === undefined ? {} : { hint: error.hint })
      }
  }
}

/** Formats the error in one line for users and models. */
export const describe = (error: ToolErrorData): string => {
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
