import { Session } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import { SampleJournal } from "@bough/runtime/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { ListTasks, ReadSessionArchive, ReplayTask } from "../src/index.ts"
import * as Harness from "./Harness.ts"

/** A session of that user with a message. */
const talked = Effect.fnUntraced(function* (user: string, id: string, texts: ReadonlyArray<string>) {
  const store = yield* SessionStore.SessionStore
  const treeId = Session.SessionId.make(id)
  const lease = yield* store.acquire(treeId)
  const opened = { ...SampleJournal.opened(), user }
  const bodies = [opened, ...texts.map((text) => SampleJournal.message(text))]
  yield* store.commit(
    SampleJournal.batch(
      lease,
      bodies.map((body, seq) => SampleJournal.append(treeId, seq, body))
    )
  )
})

describe("the history tools", () => {
  it.live("show only a user's own sessions, page by page", () =>
    Effect.gen(function* () {
      const { inJournal, run } = yield* Harness.make
      yield* inJournal(talked("ann", "first", ["hello", "more", "bye"]))
      yield* inJournal(talked("bob", "second", ["private words"]))
      const { output } = yield* run(ListTasks, {})
      assert.deepStrictEqual(
        output.tasks.map(({ taskId }) => taskId),
        ["first"]
      )
      const today = output.tasks[0].updatedAt.slice(0, 10)
      assert.lengthOf((yield* run(ListTasks, { date: today })).output.tasks, 1)
      assert.lengthOf((yield* run(ListTasks, { date: "2001-01-01" })).output.tasks, 0)
      assert.match((yield* Effect.flip(run(ListTasks, { date: "2001-13-41" }))).message, /is not a date/)
      const page = (yield* run(ReplayTask, { taskId: "first", limit: 3 })).output
      assert.deepStrictEqual(
        page.messages.map(({ text }) => text),
        ["hello", "more"]
      )
      assert.strictEqual(page.nextSeq, 3)
      const rest = (yield* run(ReplayTask, { taskId: "first", fromSeq: 3 })).output
      assert.deepStrictEqual([rest.messages.map(({ text }) => text), rest.nextSeq], [["bye"], null])
      const archive = (yield* run(ReadSessionArchive, { sessionId: "first", fromSeq: 1 })).output
      assert.include(archive.entries[0], '"hello"')
      for (const taskId of ["second", "nowhere"]) {
        const error = yield* Effect.flip(run(ReplayTask, { taskId }))
        assert.strictEqual(error._tag, "ValidationError")
        assert.notInclude(error.message, "private")
        assert.strictEqual((yield* Effect.flip(run(ReadSessionArchive, { sessionId: taskId })))._tag, "ValidationError")
      }
      assert.lengthOf((yield* run(ListTasks, {}, { user: null })).output.tasks, 0)
    })
  )

  it("accept a day in the format in which a day is printed", () => {
    const fits = Schema.is(Schema.toType(ListTasks.parameters))
    assert.isTrue(fits({ date: "2026-11-22", limit: 1 }))
    assert.isFalse(fits({ date: "yesterday", limit: 1 }))
  })
})
