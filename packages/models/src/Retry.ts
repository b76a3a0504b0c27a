/** Asks a model again where that can help and nobody has seen anything of the answer yet. */
import type { Model } from "@bough/runtime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"

/** A provider that wants a longer pause is not asked again: the person decides. */
export const longestPauseMillis = 60_000
const retries = 2
const firstPauseMillis = 500

/**
 * The same model, where retryable failures before the first part are tried twice more, after a jittered pause of about
 * 0.5 s and 1 s, or as long as the provider asked for.
 */
export const beforeFirstPart = (model: Model.Model["Service"]): Model.Model["Service"] => ({
  ...model,
  stream: (prompt) =>
    Stream.suspend(() => {
      let started = false
      return model.stream(prompt).pipe(
        Stream.onFirst(() =>
          Effect.sync(() => {
            started = true
          })
        ),
        Stream.retry(policy.pipe(Schedule.while(({ input }) => Effect.succeed(!started && mayHelp(input)))))
      )
    })
})

const mayHelp = (error: Model.ModelError): boolean =>
  error.retryable && (error.retryAfterMillis ?? 0) <= longestPauseMillis

const policy = Schedule.exponential(Duration.millis(firstPauseMillis)).pipe(
  Schedule.jittered,
  Schedule.upTo({ times: retries }),
  Schedule.setInputType<Model.ModelError>(),
  Schedule.modifyDelay(({ duration, input }) =>
    Effect.succeed(Duration.max(duration, Duration.millis(input.retryAfterMillis ?? 0)))
  )
)
