/** The seat of a session in a host, and the choice of the session that gives up its seat. */
import type { Session as SessionData } from "@bough/protocol"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import type { Session } from "../session/Session.ts"

export interface OpenSession {
  readonly session: Session
  readonly scope: Scope.Closeable
}

export interface SessionSlot {
  readonly treeId: SessionData.SessionId
  /** Serialises opening and closing. */
  readonly moving: Semaphore.Semaphore
  /** Null: the session is not loaded. */
  loaded: OpenSession | "Dormant" | null
  /** The number of uses, including waiting ones. */
  uses: number
  isClosing: boolean
  idleSinceMillis: number
}

export const make = (treeId: SessionData.SessionId): SessionSlot => ({
  treeId,
  moving: Semaphore.makeUnsafe(1),
  loaded: null,
  uses: 0,
  isClosing: false,
  idleSinceMillis: 0
})

export const isOpen = (loaded: SessionSlot["loaded"]): loaded is OpenSession => loaded !== null && loaded !== "Dormant"

export const isIdle = (slot: SessionSlot): boolean => slot.loaded !== null && slot.uses === 0 && !slot.isClosing

/** Returns the idle session that was used least recently; null: all are in use. */
export const oldestIdle = (seats: Iterable<SessionSlot>): SessionSlot | null => {
  let oldest: SessionSlot | null = null
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
export const idleSlots = (
  seats: Iterable<SessionSlot>,
  { idleBeforeMillis, maxIdleOpen }: RestLimits
): ReadonlyArray<SessionSlot> => {
  const idle = Array.from(seats).filter((seat) => isOpen(seat.loaded) && isIdle(seat))
  if (idle.length <= maxIdleOpen) return []
  return idle
    .filter(({ idleSinceMillis }) => idleSinceMillis <= idleBeforeMillis)
    .filter(({ loaded }) => isOpen(loaded) && loaded.session.canUnload())
    .toSorted((left, right) => left.idleSinceMillis - right.idleSinceMillis)
    .slice(0, idle.length - maxIdleOpen)
}
