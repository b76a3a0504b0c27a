/** Stores each change of the mode of an open session, so that a later process continues in it without a message. */
import type { Session } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import type { Mode, SessionMode } from "./SessionMode.ts"

/**
 * Stores changes until the scope closes, in their order; changes that follow each other quickly are stored as one.
 * `recorded`: the stored mode at the start; null: none. A failure of the store is reported by the next turn.
 */
export const keepMode = Effect.fnUntraced(function* (
  mode: SessionMode,
  session: Pick<Session.Session, "recordMode">,
  recorded: Mode | null
) {
  let changes = recorded !== null && recorded !== mode.now() ? 1 : 0
  let stored = 0
  const single = Semaphore.makeUnsafe(1)
  const store = single.withPermit(
    Effect.suspend(() => {
      if (stored === changes) return Effect.void
      stored = changes
      return Effect.ignore(session.recordMode(mode.now()))
    })
  )
  yield* Effect.acquireRelease(
    Effect.sync(() =>
      mode.onChange((isStored) => {
        if (isStored) return
        changes += 1
        Effect.runFork(store)
      })
    ),
    (release) => Effect.andThen(Effect.sync(release), store)
  )
  yield* store
})
