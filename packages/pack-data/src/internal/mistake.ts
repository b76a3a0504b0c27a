/** A mistake in one argument. */
import { ToolError } from "@bough/protocol"

export const mistake = (field: string, message: string): ToolError.ValidationError =>
  new ToolError.ValidationError({ message, field, issues: [{ path: field, message }] })
