/**
 * Finds the work of a host in its store: messages, decisions and cancellations that arrived, turns that a process left
 * unfinished, deadlines that have passed. Each finding leads to one attempt; an attempt without effect is repeated
 * only after new input.
 */
import type { Session } from "@bough/protocol"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { SessionStore, StoreFailed, Work } from "../ports/SessionStore.ts"

export interface HostWorkOptions {
  readonly store: Pick<SessionStore["Service"], "work">
  /** The session is in use: it takes what arrives by itself, and is looked at again when it is idle. */
  readonly isBusy: (treeId: Session.SessionId) => boolean
  /** Goes on with what is there to be done. */
  readonly resume: (treeId: Session.SessionId) => Effect.Effect<Outcome>
  /** Returns at once. */
  readonly start: (treeId: Session.SessionId, attempt: Effect.Effect<void>) => Effect.Effect<void>
}

/** `Busy`: another process owns the tree, and may end any time. With a time: it failed, and is to be tried again then. */
export type Outcome = "Done" | "Busy" | { readonly retryInMillis: number }

/** The state of a tree after the last attempt. */
interface Seen {
  /** The newest row that was there when it began: what is left of the rows up to it is nothing that it can take. */
  readonly row: number | null
  /** The rest, when it had ended. */
  readonly rest: string
  /** Another process owns the tree, or it is to be tried again: not before that moment. */
  readonly notBeforeMillis: number
  /** The newest row that a failed attempt began with: another one does not wait. Undefined: none failed. */
  readonly failedAt?: number | null
}

export interface HostWork {
  /** Looks through the store once, and starts attempts. `busyMillis`: how long to leave a tree of another process alone. */
  readonly look: (nowMillis: number, busyMillis: number) => Effect.Effect<void, StoreFailed>
}

const restOf = ({ isActive, isExpired, updatedAtMillis }: Work): string =>
  isActive || isExpired ? `${updatedAtMillis} ${isActive} ${isExpired}` : ""

export const make = ({ isBusy, resume, start, store }: HostWorkOptions): HostWork => {
  const seen = new Map<Session.SessionId, Seen>()

  const isNew = (found: Work, nowMillis: number): boolean => {
    const last = seen.get(found.treeId)
    if (last === undefined) return true
    if (nowMillis < last.notBeforeMillis) {
      return last.failedAt !== undefined && found.newestRow !== null && found.newestRow !== last.failedAt
    }
    const rest = restOf(found)
    return (found.newestRow !== null && found.newestRow !== last.row) || (rest !== "" && rest !== last.rest)
  }

  const attempt = (found: Pick<Work, "treeId" | "newestRow">, notBeforeMillis: number): Effect.Effect<void> =>
    Effect.flatMap(resume(found.treeId), (outcome) => {
      if (outcome === "Busy") {
        seen.set(found.treeId, { row: null, rest: "", notBeforeMillis })
        return Effect.void
      }
      if (outcome !== "Done") {
        return Effect.map(Clock.currentTimeMillis, (nowMillis) => {
          const again = nowMillis + outcome.retryInMillis
          seen.set(found.treeId, { row: null, rest: "", notBeforeMillis: again, failedAt: found.newestRow })
        })
      }
      return Effect.map(
        Effect.orElseSucceed(store.work, () => []),
        (after) => {
          const left = after.find(({ treeId }) => treeId === found.treeId)
          const rest = left === undefined ? "" : restOf(left)
          seen.set(found.treeId, { row: found.newestRow, rest, notBeforeMillis: 0 })
        }
      )
    })

  return {
    look: Effect.fnUntraced(function* (nowMillis, busyMillis) {
      const all = yield* store.work
      const known = new Set(all.map(({ treeId }) => treeId))
      for (const [treeId, { failedAt, notBeforeMillis }] of seen) {
        if (known.has(treeId)) continue
        // Of a turn that failed the rows tell nothing: it is open in the journal alone.
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
