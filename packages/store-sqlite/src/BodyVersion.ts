/**
 * Upgrades a stored body to the current shape. The stored row is never rewritten, because its digest is over the
 * original body.
 */
import { Entry } from "@bough/protocol"
import * as StoredCounts from "./StoredCounts.ts"

/** `steps[v]` upgrades a body from version v to v + 1. */
const steps: Readonly<Record<number, (body: unknown) => unknown>> = {}

/** Upgrades a body; null: a newer program wrote that version, so this program cannot upgrade it. */
export const upgrade = (version: number, body: unknown): unknown => {
  if (version > Entry.currentVersion) return null
  let current = body
  for (let v = version; v < Entry.currentVersion; v++) current = steps[v]?.(current) ?? null
  return StoredCounts.readable(current)
}
