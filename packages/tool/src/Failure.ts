/** Recognises the four ToolErrors by their tag and fields, so that an error of another copy of `@bough/protocol` counts as well. */
import { Tier, ToolError } from "@bough/protocol"
import * as Schema from "effect/Schema"

const isTier = Schema.is(Tier.Tier)

/**
 * True for an error with the tag of one of the four and the fields that belong to the tag. Its class may be from
 * another copy of the package.
 */
export const isToolError = (error: unknown): error is ToolError.ToolError => {
  if (!isError(error)) return false
  const fields = error as unknown as Readonly<Record<string, unknown>>
  switch (fields["_tag"]) {
    case "ValidationError":
      return isText(fields["message"]) && isOptionalText(fields["field"]) && areIssues(fields["issues"])
    case "ExecutionError":
      return isText(fields["message"]) && isOptionalText(fields["hint"])
    case "PermissionDenied":
      return isTier(fields["tier"]) && isText(fields["reason"]) && isOptionalText(fields["userMessage"])
    case "Timeout":
      return isNatural(fields["elapsedMillis"]) && isOptionalText(fields["hint"])
    default:
      return false
  }
}

/** True also for errors of other realms, in which some test runners run packs. */
const isError = (error: unknown): error is Error =>
  error instanceof Error || Object.prototype.toString.call(error) === "[object Error]"

const isText = (value: unknown): boolean => typeof value === "string"
const isOptionalText = (value: unknown): boolean => value === undefined || typeof value === "string"
const isNatural = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0
const areIssues = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every((issue: unknown) => {
    if (issue === null || typeof issue !== "object") return false
    const { message, path } = issue as Readonly<Record<string, unknown>>
    return isText(message) && isText(path)
  })

/** Registered, so that every copy of this package marks errors alike. */
const transientKey = Symbol.for("@bough/tool/transient")

/**
 * Marks a transient failure, such as a busy file or a reset connection: the call is retried with backoff if the tool's
 * `replay` allows it, else the failure is reported like any other.
 */
export const transient = (message: string): ToolError.ExecutionError =>
  markTransient(new ToolError.ExecutionError({ message }))

const markTransient = (error: ToolError.ExecutionError): ToolError.ExecutionError =>
  Object.defineProperty(error, transientKey, { value: true })

/** True if the same call may succeed in a moment: the error is a timeout, or `transient` made it. */
export const isTransient = (error: ToolError.ToolError): boolean =>
  error._tag === "Timeout" ||
  (error._tag === "ExecutionError" && (error as { readonly [transientKey]?: unknown })[transientKey] === true)

/**
 * Returns the error as this copy of the contract makes it; null: the error is not one of the four. A caller may rely on
 * the fields of the returned error.
 */
export const toToolError = (error: unknown): ToolError.ToolError | null => {
  if (!isToolError(error)) return null
  switch (error._tag) {
    case "ValidationError": {
      const { field, issues, message } = error
      return new ToolError.ValidationError({
        message,
        issues: issues.map((issue) => ({ path: issue.path, message: issue.message })),
        ...(field === undefined ? {} : { field })
      })
    }
    case "ExecutionError": {
      const { hint, message } = error
      const executionError = new ToolError.ExecutionError({ message, ...(hint === undefined ? {} : { hint }) })
      return isTransient(error) ? markTransient(executionError) : executionError
    }
    case "PermissionDenied": {
      const { reason, tier, userMessage } = error
      return new ToolError.PermissionDenied({ tier, reason, ...(userMessage === undefined ? {} : { userMessage }) })
    }
    case "Timeout": {
      const { elapsedMillis, hint } = error
      return new ToolError.Timeout({ elapsedMillis, ...(hint === undefined ? {} : { hint }) })
    }
  }
}
