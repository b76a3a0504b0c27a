/** Asks a model again if that can help and no part of the answer was shown yet. */
import type { Model } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Stream from "effect/Stream"

/** A provider that wants a longer pause is not asked again: the person decides. */
const longestPauseMillis = 60_000
const retries = 2
const firstPauseMillis = 500
/** A longer pause is told to the person, who would wonder. */
const unnoticedMillis = 2_000

/**
 * The same model, where retryable failures before the first part are tried twice more, after a jittered pause of about
 * 0.5 s and 1 s, or as long as the provider asked for. A long pause is a Notice of the stream.
 */
export const beforeFirstPart = (model: Model.Model["Service"]): Model.Model["Service"] => ({
  ...model,
  stream: (prompt) => attempt(model, prompt, 0)
})

type Parts = ReturnType<Model.Model["Service"]["stream"]>

const attempt = (model: Model.Model["Service"], prompt: Model.Prompt, before: number): Parts =>
  Stream.suspend(() => {
    let started = false
    return model.stream(prompt).pipe(
      Stream.onFirst(() =>
        Effect.sync(() => {
          started = true
        })
      ),
      Stream.catch((error) =>
        !started && before < retries && mayHelp(error)
          ? Stream.concat(pause(error, before), attempt(model, prompt, before + 1))
          : Stream.fail(error)
      )
    )
  })

const mayHelp = (error: Model.ModelError): boolean =>
  error.retryable && (error.retryAfterMillis ?? 0) <= longestPauseMillis

const pause = (error: Model.ModelError, before: number): Parts =>
  Stream.unwrap(
    Effect.map(Random.nextBetween(0.8, 1.2), (jitter) => {
      const millis = Math.max(firstPauseMillis * 2 ** before * jitter, error.retryAfterMillis ?? 0)
      const sleep = Stream.drain(Stream.fromEffect(Effect.sleep(millis)))
      return millis <= unnoticedMillis ? sleep : Stream.concat(Stream.make(notice(error, millis)), sleep)
    })
  )

const notice = ({ message }: Model.ModelError, millis: number): Model.ModelPart => ({
  _tag: "Notice",
  text: `${message}; asking again in ${Math.round(millis / 1000)} s`
})
