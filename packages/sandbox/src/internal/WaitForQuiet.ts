/**
 * Waits until no more output arrives. Its end may never come, because another process may keep the pipe of an ended
 * process open.
 */
import * as Effect from "effect/Effect"

const turnMillis = 25
const turns = 10

/**
 * Returns once nothing has happened for ten turns in a row. It counts turns instead of sleeping once: in each turn this
 * process reads all available data, even if the turn was delayed.
 */
export const silence = Effect.fnUntraced(function* (count: () => number) {
  let before = count()
  for (let quiet = 0; quiet < turns; quiet++) {
    yield* Effect.sleep(turnMillis)
    const now = count()
    if (now !== before) quiet = -1
    before = now
  }
})

/** Allows streams to be read and other fibers to run; a timer would take a whole millisecond. */
export const nextTurn = Effect.callback<void>((resume) => {
  const turn = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(turn))
})
