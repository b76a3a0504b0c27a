/** Formats the result of a child session. Pure. */
import type { Session, SessionResult } from "@bough/protocol"

type Result = SessionResult.SessionResult

/** Returns the sign that shows whether a child completed its task. */
export const childSign = ({ status }: Result): "✓" | "✗" => (status === "Completed" ? "✓" : "✗")

/**
 * Formats a result on one line, such as `worker “read the docs” completed: it found nothing`; not escaped. `task`: ""
 * if it is unknown.
 */
export const childEnded = (
  { kind, task }: { readonly kind: Session.Kind; readonly task: string },
  { reason, status, summary }: Result
): string => {
  const named = task === "" ? kind.toLowerCase() : `${kind.toLowerCase()} “${task}”`
  return `${named} ${status.toLowerCase()}: ${reason === "" ? summary : reason}`.replaceAll(/\s+/gu, " ").trimEnd()
}
