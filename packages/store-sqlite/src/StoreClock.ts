/**
 * The store's clock, by which the deadlines of approvals are measured. It counts the time that has certainly passed, and
 * follows the system's clock unless that jumps so far that open approvals would end: adr/0041-leases-with-a-deadline.md.
 */
import { ProcessIdentity } from "@bough/disk"
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Database } from "./driver/Database.ts"
import type * as SqliteClient from "./driver/SqliteClient.ts"
import * as Failure from "./Failure.ts"
import * as Sleep from "./Sleep.ts"

/** The last trusted reading: the state of all clocks at one moment. */
export interface Point {
  /** The clock from which `uptimeMillis` was read. */
  readonly counter: string
  readonly uptimeMillis: number
  readonly wallMillis: number
  readonly storeMillis: number
  /** The store's time when a jump of the system's clock was first detected and not followed; null: there is none. */
  readonly heldSinceMillis: number | null
}

/** One reading of the clocks. */
export type ClockReading = Pick<Point, "counter" | "uptimeMillis" | "wallMillis">

const dayMillis = 86_400_000

/** The maximum jump ahead that is followed if only the system clock reports it. */
export const believedLeapMillis = dayMillis
/** The time after which a persistent jump of the system's clock counts as correct. */
const heldForMillis = dayMillis
/** The difference below which clocks agree. */
const agreementMillis = 1000
/** The start of 2026: a system clock that shows an earlier time has not been set. */
const earliestWallMillis = 1_767_225_600_000

/** True if a jump between these times would end open approvals. */
export type EndsApprovals = (fromMillis: number, toMillis: number) => boolean

/** Computes the store's time at a reading. `point` null: the store is new. */
export const next = (point: Point | null, reading: ClockReading, endsApprovals: EndsApprovals): Point => {
  if (point === null) return { ...reading, storeMillis: reading.wallMillis, heldSinceMillis: null }
  const at = (storeMillis: number, heldSinceMillis: number | null): Point => ({
    ...reading,
    storeMillis,
    heldSinceMillis
  })
  const isSameCounter = point.counter === reading.counter && reading.uptimeMillis >= point.uptimeMillis
  const counted =
    point.storeMillis + (isSameCounter ? reading.uptimeMillis - point.uptimeMillis : absence(point, reading))
  const aheadMillis = reading.wallMillis - counted
  if (Math.abs(aheadMillis) < agreementMillis || reading.wallMillis < earliestWallMillis) return at(counted, null)
  if (aheadMillis <= believedLeapMillis) return at(reading.wallMillis, null)
  // While the machine was off, only the system's clock advanced. While it runs, the other clocks show whether the
  // system's clock has jumped.
  if (!isSameCounter && !endsApprovals(counted, reading.wallMillis)) return at(reading.wallMillis, null)
  const since = point.heldSinceMillis ?? counted
  return counted - since >= heldForMillis ? at(reading.wallMillis, null) : at(counted, since)
}

/** Returns how long the machine was off; 0 if that is implausible. */
const absence = (point: Point, { wallMillis }: ClockReading): number => {
  const millis = wallMillis - point.wallMillis
  return millis >= 0 && millis <= believedLeapMillis ? millis : 0
}

/** Identifies the clock from which a process's uptime is read: a container may count from its own start. */
const counterOf = ({ boot, namespace }: ProcessIdentity.ProcessIdentity): string => `${boot} ${namespace}`

/** Reads all clocks. */
const readClocks = (counter: string): Effect.Effect<ClockReading> =>
  Effect.clockWith((clock) => {
    const uptimeMillis = monotonicMillis(clock) + Sleep.asleepMillis()
    return Effect.succeed({ counter, uptimeMillis, wallMillis: clock.currentTimeMillisUnsafe() })
  })

const monotonicMillis = (clock: Clock.Clock): number => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)

const readStored = (database: Database): Point | null => {
  const row = database.get("SELECT * FROM clock")
  if (row === undefined) return null
  const heldSince = row["held_since_millis"]
  return {
    counter: String(row["counter"]),
    uptimeMillis: Number(row["uptime_millis"]),
    wallMillis: Number(row["wall_millis"]),
    storeMillis: Number(row["store_millis"]),
    heldSinceMillis: heldSince === null ? null : Number(heldSince)
  }
}

const store = (database: Database, point: Point): void =>
  void database.run(
    `INSERT INTO clock VALUES (1, ?1, ?2, ?3, ?4, ?5) ON CONFLICT (id) DO UPDATE SET counter = ?1, uptime_millis = ?2,
       wall_millis = ?3, store_millis = ?4, held_since_millis = ?5`,
    [point.counter, point.uptimeMillis, point.wallMillis, point.storeMillis, point.heldSinceMillis]
  )

const endsApprovals =
  (database: Database): EndsApprovals =>
  (from, to) =>
    database.get("SELECT 1 FROM approvals WHERE open = 1 AND expires_at_millis > ? AND expires_at_millis <= ?", [
      from,
      to
    ]) !== undefined

const at = (database: Database, read: ClockReading): Point => next(readStored(database), read, endsApprovals(database))

/** Computes the store's time, and stores it if other processes need it. */
const settleClock = (database: Database, read: ClockReading): Point => {
  const point = at(database, read)
  if (!isNews(readStored(database), point)) return point
  database.exec("BEGIN IMMEDIATE")
  // Another process may already have stored it.
  const current = at(database, read)
  store(database, current)
  database.exec("COMMIT")
  return current
}

/**
 * The difference between the system's clock and the store's, and whether open approvals therefore wait for an operator.
 */
export interface Deviation {
  readonly storeMillis: number
  readonly wallMillis: number
  readonly endsApprovals: boolean
}

const deviation = (database: Database, now: Point): Deviation => ({
  storeMillis: now.storeMillis,
  wallMillis: now.wallMillis,
  endsApprovals: now.heldSinceMillis !== null && endsApprovals(database)(now.storeMillis, now.wallMillis)
})

/** Reads the deviation of the store's clock without changing anything, for a check of the store. */
export const inspect = (client: SqliteClient.SqliteClient): Effect.Effect<Deviation, SqlError> =>
  Effect.gen(function* () {
    const counter = counterOf(yield* ProcessIdentity.own)
    const read = yield* readClocks(counter)
    return yield* client.sync((database) => deviation(database, at(database, read)))
  })

/** Sets the store's clock to the system's, even if that ends approvals. */
export const accept = (client: SqliteClient.SqliteClient): Effect.Effect<Deviation, SqlError> =>
  Effect.gen(function* () {
    const read = yield* readClocks(counterOf(yield* ProcessIdentity.own))
    const point = { ...read, storeMillis: read.wallMillis, heldSinceMillis: null }
    return yield* client.sync((database) => {
      database.exec("BEGIN IMMEDIATE")
      store(database, point)
      database.exec("COMMIT")
      return deviation(database, point)
    })
  })

/** A stored point older than this is stored again, so that the start of an absence is known. */
const refreshMillis = 3_600_000

export interface StoreClock {
  /** Epoch milliseconds. It advances with the monotonic clock, and never goes back between two calls of `follow`. */
  readonly now: Effect.Effect<number>
  /** Compares with the system's clock and with other processes, and stores the result if it changes something. */
  readonly follow: Effect.Effect<Deviation, SqlError>
  /** The deviation that the first comparison found. */
  readonly opened: Deviation
}

/** Reads the clocks once. */
export const make = Effect.fnUntraced(function* (
  client: SqliteClient.SqliteClient
): Effect.fn.Return<StoreClock, SqlError> {
  const counter = counterOf(yield* ProcessIdentity.own)
  let since = 0
  let startMillis = 0
  let latest = 0

  const follow = Effect.gen(function* () {
    const read = yield* readClocks(counter)
    const found = yield* (
      client
        .sync((database) => deviation(database, settleClock(database, read)))
        // If a lock of another process prevents the write now, the next call stores it.
        .pipe(
          Effect.catchIf(Failure.isLocked, () => client.sync((database) => deviation(database, at(database, read))))
        )
    )
    since = yield* Effect.clockWith((clock) => Effect.succeed(monotonicMillis(clock)))
    startMillis = found.storeMillis
    latest = startMillis
    return found
  })

  const now = Effect.clockWith((clock) => {
    latest = Math.max(latest, startMillis + monotonicMillis(clock) - since)
    return Effect.succeed(latest)
  })

  return { now, follow, opened: yield* follow }
})

/**
 * True if the point has to be stored for other processes: its clock differs, the time jumped, or the stored point is
 * old.
 */
const isNews = (before: Point | null, point: Point): boolean =>
  before === null ||
  before.counter !== point.counter ||
  before.heldSinceMillis !== point.heldSinceMillis ||
  point.storeMillis - before.storeMillis > refreshMillis ||
  Math.abs(point.storeMillis - before.storeMillis - (point.uptimeMillis - before.uptimeMillis)) >= agreementMillis
