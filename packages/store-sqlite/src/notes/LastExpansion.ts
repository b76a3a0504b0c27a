/**
 * Caches the expansion of the last query of a database: a search uses it for the ranking, and again for the weights of
 * the same text.
 */
import type { Database } from "../driver/Database.ts"
import * as Expansion from "./Expansion.ts"

interface LastQuery {
  readonly key: string
  readonly expansions: ReadonlyArray<Expansion.Expansion>
}

const last = new WeakMap<Database, LastQuery>()

/**
 * Returns a number that changes with every write to the database, by this connection or another, including staged
 * changes.
 */
const versionOf = (database: Database): string => {
  const others = database.get("PRAGMA data_version")?.["data_version"]
  return `${String(others)} ${String(database.get("SELECT total_changes() AS own")?.["own"])}`
}

/** Returns the result of `expandQuery`, from a cache that any write by any process invalidates. */
export const lastExpansion = (database: Database, user: number, text: string): ReadonlyArray<Expansion.Expansion> => {
  const key = `${user} ${versionOf(database)} ${text}`
  const known = last.get(database)
  if (known?.key === key) return known.expansions
  const expansions = Expansion.expandQuery(database, user, text)
  last.set(database, { key, expansions })
  return expansions
}
