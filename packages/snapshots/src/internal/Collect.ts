/**
 * Removes snapshots that are too old, then the oldest ones while the store is too large, and then every object that no
 * remaining snapshot needs.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Failures from "./Failures.ts"
import type * as ObjectStore from "./ObjectStore.ts"

export interface Bounds {
  readonly maxAgeMillis: number
  /** The size of the store's file. */
  readonly maxStoreBytes: number
}

const dayMillis = 24 * 60 * 60 * 1000

export const defaults: Bounds = { maxAgeMillis: 30 * dayMillis, maxStoreBytes: 4096 * 1024 ** 2 }

const fact = "collectedAtMillis"

/** Runs a collection once a day, and whenever the store is too large. */
export const collect = (store: ObjectStore.ObjectStore, bounds: Bounds): Effect.Effect<void> =>
  Clock.currentTimeMillis.pipe(
    Effect.flatMap((nowMillis) =>
      Failures.onStore(() => {
        if (isDue(store, bounds, nowMillis)) collectNow(store, bounds, nowMillis)
      })
    ),
    Effect.ignore
  )

const isDue = (store: ObjectStore.ObjectStore, bounds: Bounds, nowMillis: number): boolean => {
  const at = Number(store.database.get("SELECT value FROM fact WHERE name = ?", fact)?.["value"] ?? 0)
  return nowMillis - at > dayMillis || usedBytes(store) > bounds.maxStoreBytes
}

const usedBytes = ({ database }: ObjectStore.ObjectStore): number => {
  const number = (pragma: string): number => Number(database.get(`PRAGMA ${pragma}`)?.[pragma])
  return (number("page_count") - number("freelist_count")) * number("page_size")
}

/** The share of the limit to which a collection reduces a store, so that the next write does not collect again. */
const share = 0.8

/** Removes snapshots and objects now; throws the database's errors. */
export const collectNow = (store: ObjectStore.ObjectStore, bounds: Bounds, nowMillis: number): void => {
  const { database } = store
  database.transact(true, () => {
    database.run("DELETE FROM snapshot WHERE takenAtMillis < ?", nowMillis - bounds.maxAgeMillis)
    database.run("DELETE FROM restoration WHERE madeAtMillis < ?", nowMillis - bounds.maxAgeMillis)
    sweep(store)
    // A workspace that exceeds the limit on its own still keeps its newest snapshot.
    while (usedBytes(store) > bounds.maxStoreBytes * share && olderHalf(store)) sweep(store)
    database.run("UPDATE fact SET value = value + 1 WHERE name = 'generation'")
    database.run(
      "INSERT INTO fact VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
      fact,
      String(nowMillis)
    )
  })
  database.exec("PRAGMA incremental_vacuum")
}

/** Removes the older half of the snapshots; false: only one is left. */
const olderHalf = ({ database }: ObjectStore.ObjectStore): boolean => {
  const count = Number(database.get("SELECT count(*) AS n FROM snapshot")?.["n"])
  if (count < 2) return false
  database.run(
    "DELETE FROM snapshot WHERE tree IN (SELECT tree FROM snapshot ORDER BY takenAtMillis, tree LIMIT ?)",
    Math.ceil(count / 2)
  )
  database.run("DELETE FROM restoration WHERE fromTree NOT IN (SELECT tree FROM snapshot)")
  return true
}

const sweep = (store: ObjectStore.ObjectStore): void => {
  const { database } = store
  const live = new Set<string>()
  const pending = database.all("SELECT tree FROM snapshot").map(({ tree }) => String(tree))
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (live.has(id)) continue
    live.add(id)
    for (const entry of treeOf(store, id)) {
      if (entry.kind === "file") live.add(entry.id)
      else if (entry.kind === "directory" && !live.has(entry.id)) pending.push(entry.id)
    }
  }
  for (const { id } of database.all("SELECT id FROM object")) {
    if (!live.has(String(id))) database.run("DELETE FROM object WHERE id = ?", String(id))
  }
}

/** Reads a tree; a missing tree refers to no object. */
const treeOf = (store: ObjectStore.ObjectStore, id: string) =>
  store.content(id) === null ? [] : store.tree(id).values()
