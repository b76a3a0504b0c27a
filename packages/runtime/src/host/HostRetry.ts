/** Schedules the retries of sessions that failed without a caller, one schedule per session. */
import type { Session } from "@bough/protocol"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"

export interface HostRetry<Failure> {
  /** How long to wait before the next attempt; null: the next attempt needs new input. */
  readonly next: (treeId: Session.SessionId, failure: Failure) => Effect.Effect<number | null>
  /** Forgets the tree's failures: the attempt succeeded or is not repeated. */
  readonly forget: (treeId: Session.SessionId) => void
}

/** Makes the schedule; without a policy, nothing is retried. */
export const make = <Failure>(policy: Schedule.Schedule<unknown, Failure> | null): HostRetry<Failure> => {
  type Step = Effect.Success<ReturnType<typeof Schedule.toStep<unknown, Failure, never, never>>>
  const steps = new Map<Session.SessionId, Step>()
  const stepOf = (treeId: Session.SessionId, schedule: Schedule.Schedule<unknown, Failure>): Effect.Effect<Step> => {
    const known = steps.get(treeId)
    return known === undefined
      ? Effect.tap(Schedule.toStep(schedule), (step) => Effect.sync(() => void steps.set(treeId, step)))
      : Effect.succeed(known)
  }
  return {
    next: (treeId, failure) =>
      policy === null
        ? Effect.succeed(null)
        : Effect.gen(function* () {
            const step = yield* stepOf(treeId, policy)
            const nowMillis = yield* Clock.currentTimeMillis
            const [, delay] = yield* step(nowMillis, failure)
            return Math.ceil(Duration.toMillis(delay))
          }).pipe(Effect.orElseSucceed(() => null)),
    forget: (treeId) => void steps.delete(treeId)
  }
}
