/** The calls of a server that run now: only during them it may ask for input, or ask the model. */
import * as Effect from "effect/Effect"
import type { ServerCall } from "./External.ts"

export interface RunningCalls {
  running: number
  /** The requests for input that users saw since the last time that no call ran. */
  asked: number
  /** The running calls of tools, oldest first. */
  readonly withSampling: Array<Pick<ServerCall, "ask">>
}

export const none = (): RunningCalls => ({ running: 0, asked: 0, withSampling: [] })

/** Lets the server ask the model while the call runs. */
export const withSampling = <A, E>(
  { withSampling: running }: RunningCalls,
  { ask }: ServerCall,
  work: Effect.Effect<A, E>
) =>
  Effect.suspend(() => {
    const entry = { ask }
    running.push(entry)
    return Effect.ensuring(
      work,
      Effect.sync(() => void running.splice(running.indexOf(entry), 1))
    )
  })

export const countWhile = <A, E>(calls: RunningCalls, work: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.acquireUseRelease(
    Effect.sync(() => void (calls.running += 1)),
    () => work,
    () =>
      Effect.sync(() => {
        calls.running -= 1
        if (calls.running === 0) calls.asked = 0
      })
  )
