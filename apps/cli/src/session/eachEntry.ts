/** Reads the entries of a session that the command line names, in their order, a page at a time. */
import type { Entry } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as OpenSession from "@bough/host/session/OpenSession"

const pageSize = 256

export const eachEntry = (id: string, use: (entry: Entry.Entry) => void) =>
  Effect.gen(function* () {
    const store = yield* SessionStore.SessionStore
    const sessionId = yield* OpenSession.byId(id)
    for (let from = 0; ; from += pageSize) {
      const page = yield* store.entries(sessionId, from, pageSize)
      page.forEach(use)
      if (page.length < pageSize) return
    }
  })
