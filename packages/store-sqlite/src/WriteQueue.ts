/**
 * Writes all changes of the store. Units that arrive together share one transaction and one sync. If a unit fails, which
 * is rare, all of them run again, each under its own savepoint, so that only the failing one is lost. A unit waits for a
 * microtask; if several trees write, it waits for two turns of the event loop: for the fibers that are ready, and for
 * those that need one turn more. They would otherwise write one transaction after another. It never waits for a timer.
 * If several trees write, the sync runs in another thread, and only the units that must be durable wait for it.
 */
import type { Batch } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import type { SqlError } from "effect/sql/SqlError"
import * as Checkpoint from "./Checkpoint.ts"
import type { Database } from "./driver/Database.ts"
import type * as SqliteClient from "./driver/SqliteClient.ts"
import * as SqliteError from "./driver/SqliteError.ts"
import * as Failure from "./Failure.ts"
import type { LogSync } from "./LogSync.ts"
import type { WriteCounts } from "./StoreLoad.ts"

/**
 * `run` may throw SQLite's errors, StoreFailed, and defects. It keeps no state after a failure, and may run again after
 * its writes were rolled back.
 */
export interface Unit<A, E> {
  readonly operation: string
  readonly durability: Batch.Durability
  /** The tree that writes; default: none, or several. */
  readonly treeId?: string
  readonly run: (database: Database, nowMillis: number) => Result.Result<A, E>
}

export interface WriteQueue {
  /** Writes a unit, uninterruptibly: an interrupted writer would not know whether its unit was written. */
  readonly write: <A, E>(unit: Unit<A, E>) => Effect.Effect<A, E | SessionStore.StoreFailed>
  /** Reports that another operation failed on the file: after an I/O error the queue writes nothing more. */
  readonly failed: (error: SqlError) => void
  readonly counts: () => WriteCounts
}

export interface WriteQueueOptions {
  readonly client: SqliteClient.SqliteClient
  readonly logSync: LogSync
  readonly now: Effect.Effect<number>
  /** Called when a transaction is rolled back, since data that was read or staged in it may be wrong. */
  readonly onRollback: () => void
  /** False: the file was deleted or replaced, so that further writes would be lost. */
  readonly isInPlace: () => boolean
}

interface WaitingUnit {
  readonly unit: Unit<unknown, unknown>
  /** The outcome of its transaction; null: it was not written yet. */
  written: Exit.Exit<unknown, unknown> | null
  /** The same outcome, once it is as durable as it has to be. */
  outcome: Exit.Exit<unknown, unknown> | null
  resume: ((outcome: Exit.Exit<unknown, unknown>) => void) | null
}

/** The units of one transaction. */
interface Group {
  readonly members: ReadonlyArray<WaitingUnit>
  /** False: the members that must be durable wait for a sync. */
  readonly isSynced: boolean
}

/** The number of attempts, about ten seconds in all. */
const whileLocked = { while: Failure.isLocked, schedule: Schedule.spaced("30 millis"), times: 200 }

const brokenConstraint = 19

/** Lets units that are ready now enter the queue first. */
const nextMicrotask = Effect.callback<void>((resume) => queueMicrotask(() => resume(Effect.void)))

/** Lets every fiber that is ready in this turn of the event loop or in the next one reach the queue first. */
const twoTurns = Effect.callback<void>((resume) => void setImmediate(() => setImmediate(() => resume(Effect.void))))

/** Represents more than one tree. */
const severalTrees = Symbol("several trees")

export const make = ({ client, isInPlace, logSync, now, onRollback }: WriteQueueOptions): WriteQueue => {
  const checkpoint = Checkpoint.make(client)
  let waiting: Array<WaitingUnit> = []
  /** Null: no pragma was set yet. */
  let synchronous: Batch.Durability | null = null
  /** The tree that wrote the latest groups; null: none yet. */
  let writer: string | typeof severalTrees | null = null
  const counted = { units: 0, transactions: 0, busySeconds: 0, locked: 0 }
  let broken: ((operation: string) => SessionStore.StoreFailed) | null = null

  const failed = (error: SqlError): void => {
    if (Failure.isFatal(error)) broken = (operation) => Failure.storeFailed(operation, error)
  }

  /** Waits for units that can share a transaction with this one, the first of its group. */
  const gather = ({ treeId }: Unit<unknown, unknown>): Effect.Effect<void> =>
    treeId === undefined || writer === null || writer === treeId ? nextMicrotask : twoTurns

  const noteWriter = (units: Units): void => {
    // Most groups are one unit, for which no set is made.
    if (units.length === 1) {
      writer = units[0].treeId ?? writer
      return
    }
    const trees = new Set(units.flatMap(({ treeId }) => treeId ?? []))
    if (trees.size > 1) writer = severalTrees
    else for (const treeId of trees) writer = treeId
  }

  const setDurability = (database: Database, wanted: Batch.Durability): void => {
    if (wanted === synchronous) return
    // Not a cached statement, because this pragma takes effect when it is prepared.
    database.exec(`PRAGMA synchronous = ${wanted === "Full" ? "FULL" : "NORMAL"}`)
    synchronous = wanted
  }

  const writeAll = (database: Database, nowMillis: number): Group => {
    const members = waiting
    const units = members.map(({ unit }) => unit)
    noteWriter(units)
    const isSynced = writer !== severalTrees || !units.some(isDurable)
    setDurability(database, isSynced && units.some(isDurable) ? "Full" : "Relaxed")
    // `performance` would load Node's timeline with the first commit.
    const startedAtNanos = process.hrtime.bigint()
    let outcomes = writeTogether(units, database, nowMillis)
    if (outcomes === null) {
      onRollback()
      outcomes = writeOneByOne(units, database, nowMillis)
    }
    counted.busySeconds += Number(process.hrtime.bigint() - startedAtNanos) / 1e9
    counted.units += units.length
    counted.transactions += 1
    waiting = []
    for (const [index, outcome] of outcomes.entries()) members[index].written = outcome
    return { members, isSynced }
  }

  /** Fails every waiting unit with the reason, since nothing was written. */
  const giveUp = (error: SqlError): Group => {
    onRollback()
    failed(error)
    return refuse((operation) => Failure.storeFailed(operation, error))
  }

  const refuse = (why: (operation: string) => SessionStore.StoreFailed): Group => {
    const members = waiting
    waiting = []
    for (const member of members) member.written = Exit.fail(why(member.unit.operation))
    return { members, isSynced: true }
  }

  const end = (member: WaitingUnit, outcome: Exit.Exit<unknown, unknown>): void => {
    member.outcome = outcome
    member.resume?.(outcome)
  }

  /** Ends the units of a group, those that must be durable after a sync. */
  const endAll = ({ isSynced, members }: Group): void => {
    const unsynced = isSynced ? [] : members.filter(({ unit, written }) => isDurable(unit) && Exit.isSuccess(written!))
    if (unsynced.length > 0) {
      logSync.request((error) => {
        if (error !== null) failed(error)
        for (const member of unsynced) {
          const lost = error === null ? null : Exit.fail(Failure.storeFailed(member.unit.operation, error))
          end(member, lost ?? member.written!)
        }
      })
    }
    for (const member of members) if (!unsynced.includes(member)) end(member, member.written!)
  }

  const attempt = Effect.flatMap(now, (nowMillis) =>
    client.sync((database) => {
      // Checked only for durable writes.
      if (waiting.some(({ unit }) => isDurable(unit)) && !isInPlace()) return refuse((broken = Failure.movedFailure))
      return writeAll(database, nowMillis)
    })
  )
  const afterwards = checkpoint.pipe(Effect.catch((error) => Effect.sync(() => failed(error))))
  const flush = attempt.pipe(
    Effect.catchIf(Failure.isLocked, () => {
      counted.locked += 1
      return Effect.retry(attempt, whileLocked)
    }),
    Effect.catch((error) => Effect.sync(() => giveUp(error))),
    Effect.map(endAll),
    Effect.andThen(afterwards)
  )

  const write: WriteQueue["write"] = (unit) =>
    Effect.suspend((): Effect.Effect<unknown, unknown> => {
      if (broken !== null) return Effect.fail(broken(unit.operation))
      const member: WaitingUnit = { unit, written: null, outcome: null, resume: null }
      const ended = Effect.callback<unknown, unknown>((resume) => {
        if (member.outcome === null) member.resume = resume
        else resume(member.outcome)
      })
      // The first waiting unit writes all units that are queued when its turn comes.
      return waiting.push(member) === 1
        ? Effect.flatMap(Effect.andThen(gather(unit), flush), () => member.outcome ?? ended)
        : ended
    }).pipe(Effect.uninterruptible) as never

  return { write, failed, counts: () => ({ ...counted, waiting: waiting.length }) }
}

const isDurable = ({ durability }: Unit<unknown, unknown>): boolean => durability === "Full"

type Units = ReadonlyArray<Unit<unknown, unknown>>
type Outcomes = ReadonlyArray<Exit.Exit<unknown, unknown>>

/** Writes the units in one transaction; null: one of several units failed, and nothing was written. */
const writeTogether = (units: Units, database: Database, nowMillis: number): Outcomes | null => {
  database.run("BEGIN IMMEDIATE")
  const outcomes = units.map((unit) => runUnit(unit, database, nowMillis))
  const failed = outcomes.some(Exit.isFailure)
  database.run(failed ? "ROLLBACK" : "COMMIT")
  return failed && units.length > 1 ? null : outcomes
}

/** Writes each unit under its own savepoint, so that a failing unit rolls back only its own part. */
const writeOneByOne = (units: Units, database: Database, nowMillis: number): Outcomes => {
  database.run("BEGIN IMMEDIATE")
  const outcomes = units.map((unit) => {
    database.run("SAVEPOINT unit")
    const outcome = runUnit(unit, database, nowMillis)
    if (Exit.isFailure(outcome)) database.run("ROLLBACK TO unit")
    database.run("RELEASE unit")
    return outcome
  })
  database.run(outcomes.some(Exit.isSuccess) ? "COMMIT" : "ROLLBACK")
  return outcomes
}

/**
 * Runs one unit. An error of SQLite ends the whole transaction; a violated constraint, or any other error, is a defect
 * of this unit alone.
 */
const runUnit = (unit: Unit<unknown, unknown>, database: Database, nowMillis: number): Exit.Exit<unknown, unknown> => {
  const result = Result.try({ try: () => unit.run(database, nowMillis), catch: (thrown) => thrown })
  if (Result.isSuccess(result)) {
    return Result.isSuccess(result.success) ? Exit.succeed(result.success.success) : Exit.fail(result.success.failure)
  }
  if (result.failure instanceof SessionStore.StoreFailed) return Exit.fail(result.failure)
  const code = SqliteError.primaryCode(SqliteError.fromCause(result.failure, unit.operation))
  if (code !== null && code !== brokenConstraint) throw result.failure
  return Exit.die(result.failure)
}
