/** The seat of a session in a host, and the choice of the session that gives up its seat. */
import type { Session as SessionData } from "@bough/protocol"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import type { Session } from "../session/Session.ts"

export interface Open {
  readonly session: Session
  readonly scope: Scope.Closeable
}

export interface Seat {
  readonly treeId: SessionData.SessionId
  /** Serialises opening and closing. */
  readonly moving: Semaphore.Semaphore
  /** Null: the session is not loaded. */
  loaded: Open | "Dormant" | null
  /** The number of uses, including waiting ones. */
  uses: number
  isClosing: boolean
  idleSinceMillis: number
}

export const make = (treeId: SessionData.SessionId): Seat => ({
  treeId,
  moving: Semaphore.makeUnsafe(1),
  loaded: null,
  uses: 0,
  isClosing: false,
  idleSinceMillis: 0
})

export const isOpen = (loaded: Seat["loaded"]): loaded is Open => loaded !== null && loaded !== "Dormant"

export const isIdle = (seat: Seat): boolean => seat.loaded !== null && seat.uses === 0 && !seat.isClosing

/** Returns the idle session that was used least recently; null: all are in use. */
export const oldestIdle = (seats: Iterable<Seat>): Seat | null => {
  let oldest: Seat | null = null
  for (const seat of seats) {
    if (isIdle(seat) && (oldest === null || seat.idleSinceMillis < oldest.idleSinceMillis)) oldest = seat
  }
  return oldest
}

export interface RestLimits {
  readonly maxIdleOpen: number
  /** Sessions that became idle after this time stay open. */
  readonly idleBeforeMillis: number
}

/** Returns the sessions beyond the limit that can become dormant, the least recently used one first. */
export const unneeded = (seats: Iterable<Seat>, { idleBeforeMillis, maxIdleOpen }: RestLimits): ReadonlyArray<Seat> => {
  const idle = Array.from(seats).filter((seat) => isOpen(seat.loaded) && isIdle(seat))
  if (idle.length <= maxIdleOpen) return []
  return idle
    .filter(({ idleSinceMillis }) => idleSinceMillis <= idleBeforeMillis)
    .filter(({ loaded }) => isOpen(loaded) && loaded.session.canUnload())
    .toSorted((left, right) => left.idleSinceMillis - right.idleSinceMillis)
    .slice(0, idle.length - maxIdleOpen)
}
