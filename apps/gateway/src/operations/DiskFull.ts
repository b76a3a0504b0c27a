/** Recognizes the errors of a full disk: requests can succeed again once the operator has made room. */
import * as Predicate from "effect/Predicate"

const codes: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT"])

/** SQLite's primary result code; its extended codes have it in their low byte. */
const sqliteFull = 13

/** Errors wrap the error of the system a few times. */
const maxDepth = 8

const isAt = (error: unknown, depth: number): boolean => {
  if (!Predicate.isObject(error) || depth > maxDepth) return false
  const { cause, code, errcode, reason } = error as Readonly<Record<string, unknown>>
  if (codes.has(code) || (typeof errcode === "number" && (errcode & 0xff) === sqliteFull)) return true
  return isAt(cause, depth + 1) || isAt(reason, depth + 1)
}

/** True if the error, or one that it wraps, says that the disk or the user's share of it is full. */
export const isDiskFull = (error: unknown): boolean => isAt(error, 0)
