/** Makes the JavaScript engine prefer a small heap, for a program that works or waits for long. */
import type { Event } from "@bough/protocol"
import * as Effect from "effect/Effect"
import { setFlagsFromString } from "node:v8"

/**
 * Collects garbage early instead of letting the heap grow. Without it, the garbage of hundreds of turns stays in memory
 * while the program waits. The engine reads this flag at each collection, so it can be set at run time.
 *
 * Code that was compiled under other flags is rejected, including the compiled code that Node contains for its own
 * modules. A module that is loaded later is therefore compiled from its source, which takes several times as long.
 */
export const preferSmallHeap = (): void => setFlagsFromString("--optimize-for-size")

/** Modules of Node that the first turn of a conversation loads: for the model, for commands and for files. */
const modulesOfTurn = ["child_process", "cluster", "dns", "fs/promises", "http", "https", "worker_threads", "zlib"]

const turn = Effect.callback<void>((resume) => {
  const immediate = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(immediate))
})

/** Loads the modules of a turn, so that they use Node's compiled code, and then prefers a small heap. */
export const preferSmallHeapWithModules: Effect.Effect<void> = Effect.forEach(
  modulesOfTurn,
  // Typed keys are handled between two modules.
  (name) => Effect.tap(turn, () => Effect.sync(() => process.getBuiltinModule(`node:${name}`))),
  { discard: true }
).pipe(Effect.andThen(Effect.sync(preferSmallHeap)))

/**
 * Returns a function that prefers a small heap when the first call has ended, because most modules are loaded by then.
 * Called with each event.
 */
export const preferSmallHeapAfterCall = (): ((event: Event.Event) => void) => {
  let isPreferred = false
  return (event) => {
    if (isPreferred || event._tag !== "Recorded" || event.entry.body._tag !== "CallEnded") return
    isPreferred = true
    preferSmallHeap()
  }
}
