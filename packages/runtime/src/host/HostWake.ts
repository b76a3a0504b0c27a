/** The trees that a host looks at next: those that changed in this process, and at regular intervals all of them. */
import type { Session } from "@bough/protocol"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"

type TreeId = Session.SessionId

export interface HostWake {
  /** Wakes the host for a tree; null: any tree may have changed. */
  readonly notify: (treeId: TreeId | null) => void
  /** Waits for the next change, but no longer than the interval; null: the host looks at all trees. */
  readonly next: Effect.Effect<ReadonlySet<TreeId> | null>
}

/** Makes the wake-ups. All trees are due at the start, and at least once in each interval. */
export const make = (intervalMillis: number): HostWake => {
  const woken = Latch.makeUnsafe(true)
  let isAll = true
  let trees = new Set<TreeId>()
  let allAtMillis = 0
  return {
    notify: (treeId) => {
      if (treeId === null) isAll = true
      else trees.add(treeId)
      woken.openUnsafe()
    },
    next: Effect.timeoutOption(woken.await, intervalMillis).pipe(
      Effect.andThen(woken.close),
      Effect.andThen(Clock.currentTimeMillis),
      Effect.map((nowMillis) => {
        const due = trees
        trees = new Set()
        if (!isAll && nowMillis - allAtMillis < intervalMillis) return due
        isAll = false
        allAtMillis = nowMillis
        return null
      })
    )
  }
}
