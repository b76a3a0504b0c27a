/** A time limit that ends when a command has reached a point, on any machine, instead of after some time. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { eventually } from "./Places.ts"

/** An hour, which no other pause of a command takes. */
export const timeoutMillis = 3_600_000

/** Runs commands with a clock on which the hour passes once `isReached`. */
export const when = <A, E, R>(isReached: () => boolean, commands: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => Effect.provideService(commands, Clock.Clock, clock(isReached)))

const clock = (isReached: () => boolean): Clock.Clock => {
  const machine = Clock.Clock.defaultValue()
  let skippedNanos = 0n
  const monotonicTimeNanosUnsafe = () => machine.monotonicTimeNanosUnsafe() + skippedNanos
  return {
    currentTimeMillis: machine.currentTimeMillis,
    currentTimeNanos: machine.currentTimeNanos,
    currentTimeMillisUnsafe: () => machine.currentTimeMillisUnsafe(),
    currentTimeNanosUnsafe: () => machine.currentTimeNanosUnsafe(),
    monotonicTimeNanos: Effect.sync(monotonicTimeNanosUnsafe),
    monotonicTimeNanosUnsafe,
    sleep: (pause) =>
      Duration.toMillis(pause) === timeoutMillis
        ? Effect.map(eventually(isReached), () => void (skippedNanos += BigInt(timeoutMillis) * 1_000_000n))
        : machine.sleep(pause)
  }
}
