/**
 * The sessions that a host has loaded: opened when they are used, closed when they are idle or another session needs
 * the seat. If all seats belong to working sessions, the next session waits. A loaded session that is not used for a
 * while becomes dormant: it keeps only its lease, and its next use opens it again.
 */
import type { Session as SessionData } from "@bough/protocol"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { Session } from "../session/Session.ts"
import * as Signal from "../Signal.ts"
import * as Seat from "./Seat.ts"

type TreeId = SessionData.SessionId

export interface HostSeatsOptions<E> {
  /** `isLeaving`: interrupted work then stays open for the next owner. */
  readonly open: (treeId: TreeId, isLeaving: () => boolean) => Effect.Effect<Session, E, Scope.Scope>
  /** Called when a session is no longer loaded and its scope has closed. */
  readonly unload: (treeId: TreeId) => Effect.Effect<void>
  readonly maxLoaded: number
  /** The maximum number of idle sessions that stay open longer than `restMillis`. */
  readonly maxIdleOpen: number
  /** How long every idle session stays open. */
  readonly restMillis: number
  /** Called when a session is no longer in use. */
  readonly onIdle: (treeId: TreeId) => void
}

export interface HostSeats<E> {
  /** Opens the session if it is not loaded, and keeps it loaded until the body returns. */
  readonly use: <A, E2>(treeId: TreeId, body: (session: Session) => Effect.Effect<A, E2>) => Effect.Effect<A, E | E2>
  readonly isInUse: (treeId: TreeId) => boolean
  readonly isLoaded: (treeId: TreeId) => boolean
  readonly isDormant: (treeId: TreeId) => boolean
  readonly loaded: () => number
  readonly dormant: () => number
  /** Closes a session that is no longer needed, unless it is in use. */
  readonly close: (treeId: TreeId) => Effect.Effect<void>
  /** Closes sessions that have been idle for at least that time. */
  readonly closeIdle: (millis: number) => Effect.Effect<void>
  /** Makes sessions beyond the limit dormant that have been idle for `restMillis`, the least recently used one first. */
  readonly rest: Effect.Effect<void>
  /** Makes interrupted work stay open for the next owner from now on. */
  readonly leave: Effect.Effect<void>
  /** Closes all sessions; none of them is in use by then. */
  readonly closeAll: Effect.Effect<void>
}

export const make = <E>(options: HostSeatsOptions<E>): HostSeats<E> => {
  const { maxIdleOpen, maxLoaded, onIdle, open, restMillis, unload } = options
  const seats = new Map<TreeId, Seat.SessionSlot>()
  const changes = Signal.make()
  let occupied = 0
  let isLeaving = false

  const slotOf = (treeId: TreeId): Seat.SessionSlot => {
    const known = seats.get(treeId)
    if (known !== undefined) return known
    const seat = Seat.make(treeId)
    seats.set(treeId, seat)
    return seat
  }

  const forget = (slot: Seat.SessionSlot): void => {
    if (slot.uses === 0 && slot.loaded === null) seats.delete(slot.treeId)
  }

  /**
   * Closes a seat whose `isClosing` the caller has set, or makes it dormant. False: the session was used meanwhile, and
   * is left unchanged.
   */
  const move = (slot: Seat.SessionSlot, to: "Dormant" | null): Effect.Effect<boolean> =>
    slot.moving.withPermit(
      Effect.suspend(() => {
        const { loaded } = slot
        if (loaded === to || loaded === null || (slot.uses > 0 && !isLeaving)) return Effect.succeed(false)
        const closed = loaded === "Dormant" ? Effect.void : Scope.close(loaded.scope, Exit.void)
        const moved = Effect.sync(() => {
          slot.loaded = to
          forget(slot)
        })
        const released = to === null ? unload(slot.treeId) : Effect.void
        return Effect.as(closed.pipe(Effect.ensuring(released), Effect.ensuring(moved)), true)
      }).pipe(Effect.ensuring(Effect.sync(() => (slot.isClosing = false))))
    )

  const close = (slot: Seat.SessionSlot): Effect.Effect<boolean> => move(slot, null)

  const free = (): void => {
    occupied -= 1
    changes.notify()
  }

  const reserve = (restore: <A, E2>(effect: Effect.Effect<A, E2>) => Effect.Effect<A, E2>) =>
    Effect.gen(function* () {
      while (true) {
        if (occupied < maxLoaded) {
          occupied += 1
          return
        }
        const victim = Seat.oldestIdle(seats.values())
        if (victim === null) {
          yield* restore(
            changes.waitFor(() => (occupied < maxLoaded || Seat.oldestIdle(seats.values()) !== null ? true : null))
          )
          continue
        }
        victim.isClosing = true
        // The victim's seat is free now.
        if (yield* close(victim)) return
      }
    })

  /** Opens a session that is dormant or not loaded; if that fails, it is not loaded. */
  const load = (slot: Seat.SessionSlot, restore: <A, E2>(effect: Effect.Effect<A, E2>) => Effect.Effect<A, E2>) =>
    Effect.gen(function* () {
      if (slot.loaded === null) yield* reserve(restore)
      const scope = yield* Scope.make()
      const leaves = () => isLeaving || slot.isClosing
      const giveUp = Effect.sync(() => {
        slot.loaded = null
        free()
      })
      const session = yield* restore(Scope.provide(open(slot.treeId, leaves), scope)).pipe(
        Effect.onExit((exit) =>
          Exit.isSuccess(exit)
            ? Effect.void
            : Scope.close(scope, exit).pipe(Effect.ensuring(unload(slot.treeId)), Effect.ensuring(giveUp))
        )
      )
      slot.loaded = { session, scope }
      return session
    })

  const leaveSeat = (slot: Seat.SessionSlot): Effect.Effect<void> =>
    Effect.map(Clock.currentTimeMillis, (nowMillis) => {
      slot.uses -= 1
      slot.idleSinceMillis = nowMillis
      if (slot.uses > 0) return
      forget(slot)
      changes.notify()
      onIdle(slot.treeId)
    })

  const use: HostSeats<E>["use"] = (treeId, body) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.suspend(() => {
        const seat = slotOf(treeId)
        seat.uses += 1
        const entered = Effect.suspend(() =>
          Seat.isOpen(seat.loaded) ? Effect.succeed(seat.loaded.session) : load(seat, restore)
        )
        const isSettled = Seat.isOpen(seat.loaded) && !seat.isClosing
        const session = isSettled ? entered : seat.moving.withPermit(entered)
        return Effect.flatMap(session, (opened) => restore(body(opened))).pipe(Effect.ensuring(leaveSeat(seat)))
      })
    )

  /** Chooses and marks the sessions in one step, so that two calls do not choose the same session. */
  const rest = Effect.flatMap(Clock.currentTimeMillis, (nowMillis) => {
    const unneeded = Seat.idleSlots(seats.values(), { maxIdleOpen, idleBeforeMillis: nowMillis - restMillis })
    for (const seat of unneeded) seat.isClosing = true
    return Effect.forEach(unneeded, (seat) => move(seat, "Dormant"), { concurrency: "unbounded", discard: true })
  }).pipe(Effect.uninterruptible)

  const closeSome = (chosen: ReadonlyArray<Seat.SessionSlot>): Effect.Effect<void> =>
    Effect.suspend(() => {
      for (const seat of chosen) seat.isClosing = true
      const closeAndFree = (slot: Seat.SessionSlot) =>
        Effect.map(close(slot), (isClosed) => {
          if (isClosed) free()
        })
      return Effect.forEach(chosen, closeAndFree, { concurrency: "unbounded", discard: true })
    }).pipe(Effect.uninterruptible)

  return {
    use,
    isInUse: (treeId) => (seats.get(treeId)?.uses ?? 0) > 0,
    isLoaded: (treeId) => (seats.get(treeId)?.loaded ?? null) !== null,
    isDormant: (treeId) => seats.get(treeId)?.loaded === "Dormant",
    loaded: () => occupied,
    dormant: () => Array.from(seats.values()).filter(({ loaded }) => loaded === "Dormant").length,
    close: (treeId) =>
      Effect.suspend(() => {
        const seat = seats.get(treeId)
        return seat !== undefined && Seat.isIdle(seat) ? closeSome([seat]) : Effect.void
      }),
    closeIdle: (millis) =>
      Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
        closeSome(
          Array.from(seats.values()).filter((seat) => Seat.isIdle(seat) && nowMillis - seat.idleSinceMillis >= millis)
        )
      ),
    rest,
    leave: Effect.sync(() => {
      isLeaving = true
    }),
    closeAll: Effect.suspend(() => closeSome(Array.from(seats.values()).filter(({ loaded }) => loaded !== null)))
  }
}
