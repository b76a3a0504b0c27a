/** Scratchpads by session. */
import type { Scratchpad } from "@bough/tool"
import type { Database } from "../driver/Database.ts"

export const read = (database: Database, sessionId: string): Scratchpad.ScratchpadState => {
  const row = database.get("SELECT items, updated_at_millis FROM scratchpads WHERE session_id = ?", [sessionId])
  return row === undefined
    ? { items: [], updatedAtMillis: null }
    : {
        items: JSON.parse(String(row["items"])) as ReadonlyArray<string>,
        updatedAtMillis: Number(row["updated_at_millis"])
      }
}

export const write =
  (sessionId: string, items: ReadonlyArray<string>) =>
  (database: Database, nowMillis: number): Scratchpad.ScratchpadState => {
    database.run(
      `INSERT INTO scratchpads VALUES (?, ?, ?)
       ON CONFLICT (session_id) DO UPDATE SET items = excluded.items, updated_at_millis = excluded.updated_at_millis`,
      [sessionId, JSON.stringify(items), nowMillis]
    )
    return { items, updatedAtMillis: nowMillis }
  }
