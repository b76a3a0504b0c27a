/** The clock that deadlines are on: the machine's, except that it never goes back behind what it said or stored. */
import type { Database } from "@bough/sqlite"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** `startMillis`: the latest time that is stored. */
export const make = (startMillis: number): Effect.Effect<number> => {
  let latest = startMillis
  return Effect.map(Clock.currentTimeMillis, (millis) => (latest = Math.max(latest, millis)))
}

export const latestStored = (database: Database): number =>
  Number(database.get("SELECT coalesce(max(updated_at_millis), 0) AS latest FROM sessions")?.["latest"])
