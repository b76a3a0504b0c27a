/** The messages that an operator's hooks see. */
import { Principal, Session } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { SessionStore, SessionStoreMemory } from "../src/index.ts"
import * as Inbox from "../src/journal/Inbox.ts"
import * as Journal from "../src/journal/Journal.ts"
import * as SampleJournal from "../src/testing/SampleJournal.ts"

describe("the inbox", () => {
  it.effect("passes messages of people to the hooks, and none of a session or of the runtime", () =>
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      const lease = yield* SampleJournal.openTree(0)
      const { treeId } = lease
      const journal = yield* Journal.open({ store, lease }, treeId)
      const screened: Array<string> = []
      const nothing = { bodies: [], labels: [] }
      const inbox = Inbox.make({
        journal,
        store,
        opening: null,
        recallNotes: () => Effect.succeed(nothing),
        redact: (text) => text,
        screen: (text) => Effect.sync(() => (screened.push(text), { ...nothing, refusal: null }))
      })
      const other = Principal.forSession(Session.SessionId.make("other"))
      for (const principal of [other, "ada", Principal.runtime, other, "grace"]) {
        const text = `from ${principal}`
        const command = { _tag: "SteerSession", sessionId: treeId, text } as const
        yield* Inbox.submit(inbox, command, { principal, dedupeKey: SampleJournal.freshId("key") })
      }
      // The first one begins a turn, which reads the others.
      assert.isTrue(yield* Inbox.takeMessage(inbox))
      yield* Inbox.takeSteering(inbox)
      assert.deepStrictEqual(screened, ["from ada", "from grace"])
      assert.lengthOf(journal.prompt.messages, 5)
    }).pipe(Effect.provide(SessionStoreMemory.layer))
  )
})
