/** Brings a stored body to the shape of today. What is stored is never rewritten: its digest is over what was written. */
import { Entry } from "@bough/protocol"
import * as StoredCounts from "./StoredCounts.ts"

/** `steps[v]` takes a body of version v to v + 1. */
const steps: Readonly<Record<number, (body: unknown) => unknown>> = {}

/** Null: there is no way from that version to this one, a newer program wrote it. */
export const upgrade = (version: number, body: unknown): unknown => {
  if (version > Entry.currentVersion) return null
  let current = body
  for (let v = version; v < Entry.currentVersion; v++) current = steps[v]?.(current) ?? null
  return StoredCounts.readable(current)
}
