/** Telling failures apart, where an error's type alone does not. */
import { ToolError } from "@bough/protocol"

/** One of the four, and not something that only looks like it. */
export const isToolError = (error: unknown): error is ToolError.ToolError =>
  error instanceof ToolError.ValidationError ||
  error instanceof ToolError.ExecutionError ||
  error instanceof ToolError.PermissionDenied ||
  error instanceof ToolError.Timeout

const transientErrors = new WeakSet<ToolError.ExecutionError>()

/**
 * A failure that is likely to pass by itself, such as a busy file or a reset connection: tried again with backoff where
 * the tool's `replay` allows, else reported like any other.
 */
export const transient = (message: string): ToolError.ExecutionError => {
  const error = new ToolError.ExecutionError({ message })
  transientErrors.add(error)
  return error
}

/** Whether the same call may go better in a moment: a timeout, or what `transient` made. */
export const mayPass = (error: ToolError.ToolError): boolean =>
  error._tag === "Timeout" || (error._tag === "ExecutionError" && transientErrors.has(error))
