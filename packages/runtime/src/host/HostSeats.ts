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
import * as Seat from "./Seat.ts"
import { type Restore, SeatTable } from "./SeatTable.ts"

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

export const make = <E>(options: HostSeatsOptions<E>): HostSeats<E> => new LoadedSessions(options)

class LoadedSessions<E> implements HostSeats<E> {
  readonly #options: HostSeatsOptions<E>
  readonly #table: SeatTable
  #isLeaving = false

  constructor(options: HostSeatsOptions<E>) {
    this.#options = options
    this.#table = new SeatTable(options.maxLoaded)
  }

  readonly use: HostSeats<E>["use"] = (treeId, body) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.suspend(() => {
        const slot = this.#table.slotOf(treeId)
        slot.uses += 1
        const entered = Effect.suspend(() =>
          Seat.isOpen(slot.loaded) ? Effect.succeed(slot.loaded.session) : this.#load(slot, restore)
        )
        const isSettled = Seat.isOpen(slot.loaded) && !slot.isClosing
        const session = isSettled ? entered : slot.moving.withPermit(entered)
        return Effect.flatMap(session, (opened) => restore(body(opened))).pipe(Effect.ensuring(this.#endUse(slot)))
      })
    )

  readonly isInUse = (treeId: TreeId): boolean => (this.#table.get(treeId)?.uses ?? 0) > 0
  readonly isLoaded = (treeId: TreeId): boolean => (this.#table.get(treeId)?.loaded ?? null) !== null
  readonly isDormant = (treeId: TreeId): boolean => this.#table.get(treeId)?.loaded === "Dormant"
  readonly loaded = (): number => this.#table.occupied
  readonly dormant = (): number => this.#table.all().filter(({ loaded }) => loaded === "Dormant").length

  readonly close = (treeId: TreeId): Effect.Effect<void> =>
    Effect.suspend(() => {
      const slot = this.#table.get(treeId)
      return slot !== undefined && Seat.isIdle(slot) ? this.#closeSlots([slot]) : Effect.void
    })

  readonly closeIdle = (millis: number): Effect.Effect<void> =>
    Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
      this.#closeSlots(
        this.#table.all().filter((slot) => Seat.isIdle(slot) && nowMillis - slot.idleSinceMillis >= millis)
      )
    )

  /** Chooses and marks the sessions in one step, so that two calls do not choose the same session. */
  readonly rest: Effect.Effect<void> = Effect.flatMap(Clock.currentTimeMillis, (nowMillis) => {
    const { maxIdleOpen, restMillis } = this.#options
    const unneeded = Seat.idleSlots(this.#table.all(), { maxIdleOpen, idleBeforeMillis: nowMillis - restMillis })
    for (const slot of unneeded) slot.isClosing = true
    return Effect.forEach(unneeded, (slot) => this.#move(slot, "Dormant"), { concurrency: "unbounded", discard: true })
  }).pipe(Effect.uninterruptible)

  readonly leave: Effect.Effect<void> = Effect.sync(() => {
    this.#isLeaving = true
  })

  readonly closeAll: Effect.Effect<void> = Effect.suspend(() =>
    this.#closeSlots(this.#table.all().filter(({ loaded }) => loaded !== null))
  )

  /**
   * Closes a slot whose `isClosing` the caller has set, or makes it dormant. False: the session was used meanwhile, and
   * is left unchanged.
   */
  readonly #move = (slot: Seat.SessionSlot, to: "Dormant" | null): Effect.Effect<boolean> =>
    slot.moving.withPermit(
      Effect.suspend(() => {
        const { loaded } = slot
        if (loaded === to || loaded === null || (slot.uses > 0 && !this.#isLeaving)) return Effect.succeed(false)
        const closed = loaded === "Dormant" ? Effect.void : Scope.close(loaded.scope, Exit.void)
        const moved = Effect.sync(() => {
          slot.loaded = to
          this.#table.removeIfUnused(slot)
        })
        const released = to === null ? this.#options.unload(slot.treeId) : Effect.void
        return Effect.as(closed.pipe(Effect.ensuring(released), Effect.ensuring(moved)), true)
      }).pipe(Effect.ensuring(Effect.sync(() => (slot.isClosing = false))))
    )

  /** Opens a session that is dormant or not loaded; if that fails, it is not loaded. */
  readonly #load = (slot: Seat.SessionSlot, restore: Restore): Effect.Effect<Session, E> =>
    Effect.gen({ self: this }, function* () {
      const { open, unload } = this.#options
      if (slot.loaded === null) yield* this.#table.occupy((victim) => this.#move(victim, null), restore)
      const scope = yield* Scope.make()
      const isLeaving = () => this.#isLeaving || slot.isClosing
      const giveUp = Effect.sync(() => {
        slot.loaded = null
        this.#table.vacate()
      })
      const session = yield* restore(Scope.provide(open(slot.treeId, isLeaving), scope)).pipe(
        Effect.onExit((exit) =>
          Exit.isSuccess(exit)
            ? Effect.void
            : Scope.close(scope, exit).pipe(Effect.ensuring(unload(slot.treeId)), Effect.ensuring(giveUp))
        )
      )
      slot.loaded = { session, scope }
      return session
    })

  readonly #endUse = (slot: Seat.SessionSlot): Effect.Effect<void> =>
    Effect.map(Clock.currentTimeMillis, (nowMillis) => {
      if (this.#table.endUse(slot, nowMillis)) this.#options.onIdle(slot.treeId)
    })

  readonly #closeSlots = (slots: ReadonlyArray<Seat.SessionSlot>): Effect.Effect<void> =>
    Effect.suspend(() => {
      for (const slot of slots) slot.isClosing = true
      const closeAndFree = (slot: Seat.SessionSlot) =>
        Effect.map(this.#move(slot, null), (isClosed) => {
          if (isClosed) this.#table.vacate()
        })
      return Effect.forEach(slots, closeAndFree, { concurrency: "unbounded", discard: true })
    }).pipe(Effect.uninterruptible)
}
