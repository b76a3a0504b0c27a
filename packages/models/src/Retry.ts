/**
 * Retries of a model after transient failures, before any part of the answer has arrived, and after a truncated answer.
 */
import type { Model } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { Environment } from "./Provider.ts"

/** The longest pause that a provider may request: after a longer one there is no retry, and the user decides. */
const maxRequestedPauseMillis = 60_000
const firstPauseMillis = 500
/**
 * The longest pause that a server did not request. Ten retries with such pauses take three minutes, about as long as an
 * overload lasts.
 */
const maxPauseMillis = 40_000
export const defaultRetries = 10
/** The number of retries for an unreachable address, which rarely becomes reachable within a minute. */
const unreachableRetries = 2
/** The pause from which on a retry is reported to the user. */
const unnoticedMillis = 2_000

const Count = Schema.decodeUnknownOption(
  Schema.FiniteFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 0, maximum: 100 }))
)

/**
 * Reads the number of retries. `BOUGH_RETRIES` overrides the default, for example with 0 in programs that retry
 * themselves.
 */
export const retriesFrom = (environment: Environment): number =>
  Option.getOrElse(Count(environment["BOUGH_RETRIES"]), () => defaultRetries)

/**
 * A model that retries retryable failures before the first part, with pauses that double from about 0.5 s, or that the
 * provider requests. A long pause is reported as a Notice of the stream. The session itself retries a truncated reply,
 * with pauses from `retryPause`.
 */
export const withRetries = (model: Model.Model["Service"], retries = defaultRetries): Model.Model["Service"] => ({
  ...model,
  stream: (prompt) => attempt(model, prompt, { retries, before: 0 }),
  retryPause: (error, before, random) => pauseMillis(error, { retries, before }, random)
})

type Parts = ReturnType<Model.Model["Service"]["stream"]>

interface Attempts {
  readonly retries: number
  readonly before: number
}

const attempt = (model: Model.Model["Service"], prompt: Model.Prompt, { before, retries }: Attempts): Parts =>
  Stream.suspend(() => {
    let started = false
    return model.stream(prompt).pipe(
      Stream.onFirst(() =>
        Effect.sync(() => {
          started = true
        })
      ),
      Stream.catch((error) =>
        started
          ? Stream.fail(error)
          : Stream.unwrap(
              Effect.map(Random.next, (random) => {
                const millis = pauseMillis(error, { before, retries }, random)
                return millis === null
                  ? Stream.fail(error)
                  : Stream.concat(
                      pauseWithNotice(error, millis),
                      attempt(model, prompt, { retries, before: before + 1 })
                    )
              })
            )
      )
    )
  })

/** Returns the milliseconds before the next attempt; null: there is none. */
const pauseMillis = (error: Model.ModelError, { before, retries }: Attempts, random: number): number | null => {
  const maxRetries = error.reason === "Unreachable" ? Math.min(retries, unreachableRetries) : retries
  const named = error.retryAfterMillis ?? 0
  if (!error.retryable || before >= maxRetries || named > maxRequestedPauseMillis) return null
  return Math.max(Math.min(firstPauseMillis * 2 ** before, maxPauseMillis) * (0.8 + 0.4 * random), named)
}

const pauseWithNotice = (error: Model.ModelError, millis: number): Parts => {
  const sleep = Stream.drain(Stream.fromEffect(Effect.sleep(millis)))
  return millis <= unnoticedMillis ? sleep : Stream.concat(Stream.make(notice(error, millis)), sleep)
}

const notice = ({ message }: Model.ModelError, millis: number): Model.ModelPart => ({
  _tag: "Notice",
  text: `${message}; asking again in ${Math.round(millis / 1000)} s`
})
