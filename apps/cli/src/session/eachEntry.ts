/** Reads the entries of the session that the command line names, in order. */
import * as FindSession from "@bough/host/session/FindSession"
import type { Entry } from "@bough/protocol"
import { EntryPages, SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"

export const eachEntry = (id: string, use: (entry: Entry.Entry) => void) =>
  Effect.gen(function* () {
    const store = yield* SessionStore.SessionStore
    yield* EntryPages.forEach(store, yield* FindSession.byId(id), use)
  })
