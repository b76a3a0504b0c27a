/** The slots of a host's sessions and the number of occupied seats. */
import type { Session as SessionData } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as Signal from "../Signal.ts"
import * as Seat from "./Seat.ts"

type TreeId = SessionData.SessionId

/** Restores the interruptibility of the caller for an effect that waits. */
export type Restore = <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>

export class SeatTable {
  readonly #slots = new Map<TreeId, Seat.SessionSlot>()
  readonly #maxLoaded: number
  /** Notified when a seat becomes free, or its session idle. */
  readonly #changes = Signal.make()
  #occupied = 0

  constructor(maxLoaded: number) {
    this.#maxLoaded = maxLoaded
  }

  get occupied(): number {
    return this.#occupied
  }

  get(treeId: TreeId): Seat.SessionSlot | undefined {
    return this.#slots.get(treeId)
  }

  all(): ReadonlyArray<Seat.SessionSlot> {
    return Array.from(this.#slots.values())
  }

  /** Returns the slot of a session, and makes it if there is none. */
  slotOf(treeId: TreeId): Seat.SessionSlot {
    const known = this.#slots.get(treeId)
    if (known !== undefined) return known
    const slot = Seat.make(treeId)
    this.#slots.set(treeId, slot)
    return slot
  }

  /** Removes a slot that has neither a loaded session nor uses. */
  removeIfUnused(slot: Seat.SessionSlot): void {
    if (slot.uses === 0 && slot.loaded === null) this.#slots.delete(slot.treeId)
  }

  /** Records the end of a use. Returns true if the session is idle now. */
  endUse(slot: Seat.SessionSlot, nowMillis: number): boolean {
    slot.uses -= 1
    slot.idleSinceMillis = nowMillis
    if (slot.uses > 0) return false
    this.removeIfUnused(slot)
    this.#changes.notify()
    return true
  }

  /** Frees the seat of a session that is no longer loaded. */
  vacate(): void {
    this.#occupied -= 1
    this.#changes.notify()
  }

  /** Occupies a seat. If none is free, `close` closes the least recently used idle session, as soon as there is one. */
  occupy(close: (slot: Seat.SessionSlot) => Effect.Effect<boolean>, restore: Restore): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      while (true) {
        if (this.#isFree()) {
          this.#occupied += 1
          return
        }
        const victim = Seat.oldestIdle(this.#slots.values())
        if (victim === null) {
          yield* restore(this.#changes.waitFor(() => (this.#isFree() || this.#hasIdle() ? true : null)))
          continue
        }
        victim.isClosing = true
        // The victim's seat is free now.
        if (yield* close(victim)) return
      }
    })
  }

  #isFree(): boolean {
    return this.#occupied < this.#maxLoaded
  }

  #hasIdle(): boolean {
    return Seat.oldestIdle(this.#slots.values()) !== null
  }
}
