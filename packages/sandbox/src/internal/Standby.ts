/**
 * A sandbox that is prepared for the next command while the model thinks. It waits at its gate for the words of one
 * command. An unused sandbox ends if the next command needs another view, after some time, or with the session.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Connections } from "../Proxy.ts"
import type { PreparedSandbox, Standby, StandbySlot } from "../StandbySlot.ts"
import { killAll } from "./BubblewrapProcess.ts"
import type { ChildProcess } from "./ChildProcess.ts"
import * as OwnerWatch from "./OwnerWatch.ts"

/** Longer than most models think; an idle session soon has no prepared sandbox. */
const idleMillis = 30_000

/** The delay in which the result of the previous command is sent. */
const delayMillis = 20

/** Prepares a sandbox for the next command, unless one is prepared already. */
export const prepare = (
  slot: StandbySlot,
  make: Effect.Effect<Standby | null, never, Scope.Scope>
): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (slot.current !== null) return Effect.void
    const prepared: PreparedSandbox = { ready: Deferred.makeUnsafe(), over: Deferred.makeUnsafe() }
    slot.current = prepared
    return make.pipe(
      Effect.tap((standby) => Deferred.succeed(prepared.ready, standby)),
      Effect.flatMap((standby) => (standby === null ? Effect.void : Deferred.await(prepared.over))),
      Effect.timeoutOrElse({ duration: idleMillis, orElse: () => Effect.void }),
      Effect.scoped,
      Effect.ensuring(
        Effect.suspend(() => {
          if (slot.current === prepared) slot.current = null
          return Deferred.succeed(prepared.ready, null)
        })
      ),
      Effect.forkIn(slot.scope, { startImmediately: true }),
      Effect.asVoid
    )
  })

/** Prepares a sandbox after a short delay, in which the result is sent. */
export const prepareSoon = (
  slot: StandbySlot,
  make: Effect.Effect<Standby | null, never, Scope.Scope>
): Effect.Effect<void> =>
  Effect.asVoid(Effect.forkIn(Effect.andThen(Effect.sleep(delayMillis), prepare(slot, make)), slot.scope))

/** Takes the prepared sandbox if it fits the command; the caller then ends its process. */
export const take = Effect.fnUntraced(function* (
  slot: StandbySlot,
  { key, workshop }: Pick<Standby, "key" | "workshop">
): Effect.fn.Return<Standby | null> {
  const { current } = slot
  if (current === null) return null
  slot.current = null
  const standby = yield* Deferred.await(current.ready)
  const isFit =
    standby !== null &&
    standby.state === "waiting" &&
    standby.workshop === workshop &&
    standby.key === key &&
    !standby.child.isGone()
  if (isFit) standby.state = "taken"
  yield* Deferred.succeed(current.over, undefined)
  return isFit ? standby : null
})

/** Starts a sandbox, which ends with the scope unless a command takes it. */
export const acquire = <E>(
  fitting: Pick<Standby, "key" | "workshop">,
  start: (network: () => Connections | null) => Effect.Effect<ChildProcess, E>
): Effect.Effect<Standby, E, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.suspend(() => {
      let newStandby: Standby | null = null
      return Effect.map(
        start(() => newStandby?.network ?? null),
        (child): Standby => (newStandby = { ...fitting, child, network: null, state: "waiting" })
      )
    }),
    (standby) => {
      if (standby.state === "taken") return Effect.void
      standby.state = "ended"
      const { child } = standby
      return killAll(child, "").pipe(
        Effect.andThen(OwnerWatch.dismiss(child)),
        Effect.andThen(Effect.sync(() => child.release()))
      )
    }
  )
