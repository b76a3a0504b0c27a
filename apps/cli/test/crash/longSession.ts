/** A process that opens a session and prints the memory that this took, in bytes. Run with --expose-gc. */
import type { Event } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import { type TestFolder, withStore, workOn } from "./composition.ts"

const place = JSON.parse(process.argv[2]) as TestFolder

const used = () => {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

let before = 0
let heldBytes = 0

/** The turn runs while the session is open: the memory in use at that time is the cost of the session. */
const watcher = {
  onApprovalRequested: () => undefined,
  onEvent: (event: Event.Event) => {
    if (event._tag === "Recorded" && event.entry.body._tag === "StepStarted") heldBytes = used() - before
  }
}

await Effect.runPromise(
  withStore(
    place,
    (store) => store,
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      before = used()
      const sessionId = yield* workOn(place, watcher)
      const { entries } = yield* store.session(sessionId)
      process.stdout.write(JSON.stringify({ entries, heldBytes }))
    })
  )
)
