/** Decides if and when to repeat the request for a reply that was cut off after it had begun. */
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as TimeBudget from "../budget/TimeBudget.ts"
import { ModelError } from "../ports/Model.ts"
import * as Reply from "../ports/Reply.ts"
import * as ModelCaller from "./ModelCaller.ts"

interface Attempt {
  readonly reply: Reply.ReplyState
  /** The number of retries so far; undefined: none. */
  readonly before: number | undefined
}

/** True if the failure ended a reply that had begun, and the reply will be requested again. */
export const isRetried = (
  { model }: ModelCaller.ModelCaller,
  { before, reply }: Attempt,
  error: unknown
): error is ModelError =>
  before !== undefined &&
  error instanceof ModelError &&
  error.reason === "StreamCut" &&
  Reply.length(reply) > 0 &&
  (model.retryPause?.(error, before, 0) ?? null) !== null

/** Notifies the user and waits; false: the session's time ended first. */
export const pause = Effect.fnUntraced(function* (caller: ModelCaller.ModelCaller, cut: ModelError, before: number) {
  const millis = caller.model.retryPause?.(cut, before, yield* Random.next) ?? 0
  const seconds = Math.max(1, Math.round(millis / 1000))
  yield* ModelCaller.notice(caller, `${cut.message}; asking again in ${seconds} s`)
  return yield* TimeBudget.runWithin(caller.budget, Effect.as(Effect.sleep(millis), true), false)
})
