/**
 * A controlled scheduler for Effects: fibers run only in `settle`, time passes only by `advance`. The same steps always
 * lead to the same state.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as Scheduler from "effect/Scheduler"

export interface Stage {
  /** Starts it; it runs in `settle`. The fiber can be interrupted. */
  readonly start: <A, E>(effect: Effect.Effect<A, E>) => Fiber.Fiber<A, E>
  /** Runs the fibers that wait for no permission. */
  readonly run: <A, E>(effect: Effect.Effect<A, E>) => A
  /** Waits until no fiber can run. */
  readonly settle: () => void
  readonly advance: (millis: number) => void
  readonly now: () => number
}

export const make = (): Stage => {
  let tasks: Array<() => void> = []
  let millis = 0
  const sleepers = new Set<{ readonly at: number; readonly wake: () => void }>()
  const scheduler = new Scheduler.MixedScheduler("async", (task) => {
    tasks.push(task)
    return () => {
      tasks = tasks.filter((other) => other !== task)
    }
  })
  const nanos = () => BigInt(millis) * 1_000_000n
  const clock: Clock.Clock = {
    currentTimeMillisUnsafe: () => millis,
    currentTimeMillis: Effect.sync(() => millis),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: nanos,
    monotonicTimeNanos: Effect.sync(nanos),
    sleep: (duration) =>
      Effect.callback<void>((resume) => {
        const sleeper = { at: millis + Duration.toMillis(duration), wake: () => resume(Effect.void) }
        sleepers.add(sleeper)
        return Effect.sync(() => sleepers.delete(sleeper))
      })
  }
  const context = Context.make(Scheduler.Scheduler, scheduler).pipe(Context.add(Clock.Clock, clock))
  const settle = () => {
    for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) task()
  }
  return {
    start: (effect) => Effect.runForkWith(context)(effect, { scheduler }),
    run: (effect) => Effect.runSync(Effect.provideService(effect, Clock.Clock, clock)),
    settle,
    advance: (by) => {
      millis += by
      for (const sleeper of Array.from(sleepers).filter(({ at }) => at <= millis)) {
        sleepers.delete(sleeper)
        sleeper.wake()
      }
    },
    now: () => millis
  }
}
