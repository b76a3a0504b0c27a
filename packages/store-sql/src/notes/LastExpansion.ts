/** The expansions of the last query of a database: a search ranks by them, and weighs the same text right after. */
import type { Database } from "@bough/sqlite"
import * as Expansion from "./Expansion.ts"
import * as NoteReads from "./NoteReads.ts"

interface Last {
  readonly key: string
  readonly expansions: ReadonlyArray<Expansion.Expansion>
}

const last = new WeakMap<Database, Last>()

/** As `Expansion.of` gives them, made anew once any note was written or dropped since, by any process. */
export const of = (database: Database, user: number, text: string): ReadonlyArray<Expansion.Expansion> => {
  const { dropped, written } = NoteReads.counters(database)
  const key = `${user} ${written} ${dropped} ${text}`
  const known = last.get(database)
  if (known?.key === key) return known.expansions
  const expansions = Expansion.of(database, user, text)
  last.set(database, { key, expansions })
  return expansions
}
