/** Notices a reply that says nothing for too long. Bytes without content, such as comments of a stream, do not count. */
import type { Model } from "@bough/runtime"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** The longest silence of a reply, before its first content too. Reasoning that is not shown can take minutes. */
export const defaultIdleMillis = 5 * 60 * 1000

/** Calls `onSilent` once when `heard` was not called for `idleMillis`. Ends with the scope. */
export const watch = Effect.fnUntraced(function* (
  idleMillis: number,
  onSilent: () => void
): Effect.fn.Return<{ readonly heard: () => void }, never, Scope.Scope> {
  const clock = yield* Clock.Clock
  let heardAt = clock.currentTimeMillisUnsafe()
  const untilSilent: Effect.Effect<void> = Effect.suspend(() => {
    const left = heardAt + idleMillis - clock.currentTimeMillisUnsafe()
    return left <= 0 ? Effect.sync(onSilent) : Effect.andThen(Effect.sleep(left), untilSilent)
  })
  yield* Effect.forkScoped(untilSilent, { startImmediately: true })
  return {
    heard: () => {
      heardAt = clock.currentTimeMillisUnsafe()
    }
  }
})

/** Whether a part says something of the reply. */
export const hasContent = (part: Model.ModelPart): boolean => {
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
