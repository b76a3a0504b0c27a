/**
 * Finds the work of a host in its store: messages, decisions and cancellations that arrived, turns that a process left
 * unfinished, deadlines that have passed. Each leads to one attempt; an attempt without effect is repeated only after
 * new input.
 */
import type { Session } from "@bough/protocol"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { SessionStore, StoreFailed, OpenWork } from "../ports/SessionStore.ts"

export interface HostWorkOptions {
  readonly store: Pick<SessionStore["Service"], "work" | "workOf">
  /** True if the session is in use: it reads new input itself, and is checked again when idle. */
  readonly isBusy: (treeId: Session.SessionId) => boolean
  /** Continues the session's open work. */
  readonly resume: (treeId: Session.SessionId) => Effect.Effect<Outcome>
  /** Starts an attempt; returns at once. */
  readonly start: (treeId: Session.SessionId, attempt: Effect.Effect<void>) => Effect.Effect<void>
}

/**
 * `Busy`: another process owns the tree, and may end any time. `retryInMillis`: the attempt failed, and is repeated
 * then.
 */
export type Outcome = "Done" | "Busy" | { readonly retryInMillis: number }

/** The newest inbox row at the attempt's start. Earlier rows that are still open are not going to be taken. */
interface TreeAttempt {
  /** The newest inbox row at the attempt's start. Earlier rows that are still open are not going to be taken. */
  readonly row: number | null
  /** The work that was open at the attempt's end. */
  readonly rest: string
  /** The time before which the tree is skipped: another process owns it, or a retry is due then. */
  readonly notBeforeMillis: number
  /** The newest inbox row at the start of a failed attempt; a newer row ends the wait. Undefined: no attempt failed. */
  readonly failedAt?: number | null
}

export interface HostWork {
  /**
   * Searches the store once, and starts attempts. `busyMillis`: the time for which a tree of another process is
   * skipped.
   */
  readonly look: (nowMillis: number, busyMillis: number) => Effect.Effect<void, StoreFailed>
  /** Like `look`, but only for these trees. */
  readonly lookAt: (
    trees: ReadonlySet<Session.SessionId>,
    nowMillis: number,
    busyMillis: number
  ) => Effect.Effect<void, StoreFailed>
}

const stateKeyOf = ({ isActive, isExpired, updatedAtMillis }: OpenWork): string =>
  isActive || isExpired ? `${updatedAtMillis} ${isActive} ${isExpired}` : ""

export const make = ({ isBusy, resume, start, store }: HostWorkOptions): HostWork => {
  const seen = new Map<Session.SessionId, TreeAttempt>()

  const isNew = (found: OpenWork, nowMillis: number): boolean => {
    const last = seen.get(found.treeId)
    if (last === undefined) return true
    if (nowMillis < last.notBeforeMillis) {
      return last.failedAt !== undefined && found.newestRow !== null && found.newestRow !== last.failedAt
    }
    const rest = stateKeyOf(found)
    return (found.newestRow !== null && found.newestRow !== last.row) || (rest !== "" && rest !== last.rest)
  }

  const attempt = (found: Pick<OpenWork, "treeId" | "newestRow">, notBeforeMillis: number): Effect.Effect<void> =>
    Effect.flatMap(resume(found.treeId), (outcome) => {
      if (outcome === "Busy") {
        seen.set(found.treeId, { row: null, rest: "", notBeforeMillis })
        return Effect.void
      }
      if (outcome !== "Done") {
        return Effect.map(Clock.currentTimeMillis, (nowMillis) => {
          const retryAtMillis = nowMillis + outcome.retryInMillis
          seen.set(found.treeId, { row: null, rest: "", notBeforeMillis: retryAtMillis, failedAt: found.newestRow })
        })
      }
      return Effect.map(
        Effect.orElseSucceed(store.workOf(found.treeId), () => null),
        (state) => {
          const rest = state === null ? "" : stateKeyOf(state)
          seen.set(found.treeId, { row: found.newestRow, rest, notBeforeMillis: 0 })
        }
      )
    })

  return {
    lookAt: Effect.fnUntraced(function* (trees, nowMillis, busyMillis) {
      for (const treeId of trees) {
        if (isBusy(treeId)) continue
        const found = yield* store.workOf(treeId)
        if (found !== null && isNew(found, nowMillis)) yield* start(treeId, attempt(found, nowMillis + busyMillis))
      }
    }),
    look: Effect.fnUntraced(function* (nowMillis, busyMillis) {
      const all = yield* store.work
      const known = new Set(all.map(({ treeId }) => treeId))
      for (const [treeId, { failedAt, notBeforeMillis }] of seen) {
        if (known.has(treeId)) continue
        // A failed turn has no inbox row: only the journal shows that it is open.
        if (failedAt === undefined) seen.delete(treeId)
        else if (nowMillis >= notBeforeMillis && !isBusy(treeId)) {
          yield* start(treeId, attempt({ treeId, newestRow: null }, nowMillis + busyMillis))
        }
      }
      for (const found of all) {
        if (isBusy(found.treeId) || !isNew(found, nowMillis)) continue
        yield* start(found.treeId, attempt(found, nowMillis + busyMillis))
      }
    })
  }
}
