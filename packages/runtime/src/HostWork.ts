/**
 * What a host finds to do in its store: messages, decisions and cancels that arrived, turns that a process left in the middle,
 * deadlines that have passed. Each finding leads to one attempt; what an attempt could do nothing about leads to none again
 * until something else has come.
 */
import type { Session } from "@bough/protocol"
import * as Effect from "effect/Effect"
import type { SessionStore, StoreFailed, Work } from "./SessionStore.ts"

export interface Options {
  readonly store: Pick<SessionStore["Service"], "work">
  /** The session is in use: it takes what arrives by itself, and is looked at again when it is idle. */
  readonly isBusy: (treeId: Session.SessionId) => boolean
  /** Goes on with what is there to be done. `Busy`: another process owns the tree, and may end any time. */
  readonly resume: (treeId: Session.SessionId) => Effect.Effect<"Done" | "Busy">
  /** Returns at once. */
  readonly start: (treeId: Session.SessionId, attempt: Effect.Effect<void>) => Effect.Effect<void>
}

/** What the last attempt in a tree left there. */
interface Seen {
  /** The newest row that was there when it began: what is left of the rows up to it is nothing that it can take. */
  readonly row: number | null
  /** The rest, when it had ended. */
  readonly rest: string
  /** Another process owns the tree: not before that moment again. */
  readonly notBeforeMillis: number
}

export interface HostWork {
  /** Looks through the store once, and starts attempts. `busyMillis`: how long to leave a tree of another process alone. */
  readonly look: (nowMillis: number, busyMillis: number) => Effect.Effect<void, StoreFailed>
}

const restOf = ({ isActive, isExpired, updatedAtMillis }: Work): string =>
  isActive || isExpired ? `${updatedAtMillis} ${isActive} ${isExpired}` : ""

export const make = ({ isBusy, resume, start, store }: Options): HostWork => {
  const seen = new Map<Session.SessionId, Seen>()

  const isNew = (found: Work, nowMillis: number): boolean => {
    const last = seen.get(found.treeId)
    if (last === undefined) return true
    if (nowMillis < last.notBeforeMillis) return false
    const rest = restOf(found)
    return (found.newestRow !== null && found.newestRow !== last.row) || (rest !== "" && rest !== last.rest)
  }

  const attempt = (found: Work, notBeforeMillis: number): Effect.Effect<void> =>
    Effect.flatMap(resume(found.treeId), (outcome) => {
      if (outcome === "Busy") {
        seen.set(found.treeId, { row: null, rest: "", notBeforeMillis })
        return Effect.void
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
      for (const treeId of seen.keys()) if (!known.has(treeId)) seen.delete(treeId)
      for (const found of all) {
        if (isBusy(found.treeId) || !isNew(found, nowMillis)) continue
        yield* start(found.treeId, attempt(found, nowMillis + busyMillis))
      }
    })
  }
}
