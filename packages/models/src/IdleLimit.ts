/**
 * Ends a reply without content for too long. Comments in a stream, parts without content, and a source that ignores
 * interruption do not extend the time.
 */
import type { Model } from "@bough/runtime"
import * as Cause from "effect/Cause"
import * as Channel from "effect/Channel"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"

/**
 * The maximum time without content of a reply, which includes the time before the first content. Hidden reasoning can
 * take minutes.
 */
export const defaultIdleMillis = 5 * 60 * 1000

/**
 * The time within which the source must end after a complete reply. A server may keep the connection open, or continue
 * to write.
 */
const drainMillis = 1000

type Parts<E> = Stream.Stream<Model.ModelPart, E>

/**
 * Emits the parts, and fails with `silent` after waiting for content from the source for more than `idleMillis`.
 * The time that the reader takes does not count. The source's scope is closed with the reply, without waiting for its
 * finalizers. Parts and failures after the end of the reply are ignored.
 */
export const limitIdle = <E>(parts: Parts<E>, idleMillis: number, silent: () => E): Parts<E> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const source = yield* Scope.make()
      // Unlike `acquireRelease`, this merges no context at the end of each reply.
      yield* Scope.addFinalizerExit(yield* Effect.scope, (exit) =>
        Effect.forkDetach(Scope.close(source, exit), { startImmediately: true })
      )
      // Unlike `Stream.toPull`, this merges no context for each pull; pulls never overlap here.
      const pull = yield* Effect.catchCause(Channel.toPullScoped(parts.channel, source), (cause) =>
        Effect.succeed(Effect.failCause(cause))
      )
      const clock = yield* Clock.Clock
      const context = yield* Effect.context()
      const fork = Effect.runForkWith(Context.add(context, Scope.Scope, source))
      let heardAt = clock.currentTimeMillisUnsafe()
      /** The time since which the reader has not requested a part; null: the reader waits for one. */
      let restingSince: number | null = heardAt
      let isSilent = false
      let hasEnded = false
      let stop: () => void = () => {}

      // Runs in its own fiber, so that a stream that ignores its interruption delays nothing else.
      const next = Effect.callback<Effect.Success<typeof pull>, Effect.Error<typeof pull>>((resume) => {
        const now = clock.currentTimeMillisUnsafe()
        if (restingSince !== null) heardAt += now - restingSince
        restingSince = null
        const reading = fork(pull)
        stop = () => {
          resume(Effect.fail(silent()))
          reading.interruptUnsafe()
        }
        reading.addObserver(resume)
        return Effect.sync(() => reading.interruptUnsafe())
      })
      const drained = Effect.andThen(
        Effect.timeoutOption(Effect.ignoreCause(Effect.forever(next)), drainMillis),
        Cause.done()
      )
      const guarded = Effect.suspend(() => (hasEnded ? drained : isSilent ? Effect.fail(silent()) : next)).pipe(
        Effect.onExit((exit) =>
          Effect.sync(() => {
            restingSince = clock.currentTimeMillisUnsafe()
            if (!Exit.isSuccess(exit)) return
            if (exit.value.some(hasContent)) heardAt = restingSince
            hasEnded ||= exit.value.some(({ _tag }) => _tag === "End")
          })
        )
      )
      const untilSilent: Effect.Effect<void> = Effect.suspend(() => {
        if (restingSince !== null) return Effect.andThen(Effect.sleep(idleMillis), untilSilent)
        const remainingMillis = heardAt + idleMillis - clock.currentTimeMillisUnsafe()
        if (remainingMillis > 0) return Effect.andThen(Effect.sleep(remainingMillis), untilSilent)
        return Effect.sync(() => {
          isSilent = true
          stop()
        })
      })
      yield* Effect.forkScoped(untilSilent, { startImmediately: true })
      return Stream.fromPull(Effect.succeed(guarded))
    })
  )

/** True if a part has content of the reply. */
const hasContent = (part: Model.ModelPart): boolean => {
  switch (part._tag) {
    case "Text":
    case "ToolCallArguments":
      return part.text !== ""
    case "Reasoning":
      return part.text !== "" || part.signature !== undefined
    case "Notice":
      return false
    case "ToolCallStart":
    case "End":
      return true
  }
}
