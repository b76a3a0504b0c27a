import { SessionStore } from "@bough/runtime"
import { SampleJournal } from "@bough/testing"
import type { Tool } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { DeleteMemory, SaveMemory, SearchMemory, UpdateMemory, WriteMemoryFile } from "../src/index.ts"
import * as Harness from "./Harness.ts"

const secret = "the deploy password is hunter2222"

describe("the note tools", () => {
  it.effect("save, find, correct and forget a note under one id", () =>
    Effect.gen(function* () {
      const { run } = yield* Harness.make
      const saved = yield* run(SaveMemory, { content: "Likes tea", kind: "preference", tags: [" Drinks", "drinks"] })
      assert.match(saved.output.noteId, /^note-[0-9a-f-]{36}$/)
      const { output } = yield* run(SearchMemory, { query: "tea", tags: ["DRINKS"] })
      const [found] = output.results
      assert.deepStrictEqual(
        { ...found, score: 0, createdAt: "", updatedAt: "" },
        {
          text: "Likes tea",
          source: "session s",
          score: 0,
          noteId: saved.output.noteId,
          kind: "preference",
          tags: ["drinks"],
          createdAt: "",
          updatedAt: ""
        }
      )
      assert.match(found.createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      const { noteId } = saved.output
      yield* run(UpdateMemory, { noteId, content: "Likes coffee" })
      const again = yield* run(SearchMemory, { query: "coffee tea" })
      assert.deepStrictEqual(
        again.output.results.map(({ tags, text }) => [text, tags]),
        [["Likes coffee", ["drinks"]]]
      )
      yield* run(DeleteMemory, { noteId })
      assert.lengthOf((yield* run(SearchMemory, { query: "coffee" })).output.results, 0)
      for (const call of [run(DeleteMemory, { noteId }), run(UpdateMemory, { noteId, content: "x" })]) {
        const error = yield* Effect.flip(Effect.asVoid(call))
        assert.match(error.message, /there is no note .*search_memory/)
      }
    })
  )

  it.effect("say which notes say it already, and what to do if it has changed", () =>
    Effect.gen(function* () {
      const { run } = yield* Harness.make
      const ids = yield* Effect.forEach(["Likes tea with milk", "Lives in Porto"], (content) =>
        Effect.map(run(SaveMemory, { content }), ({ output }) => output.noteId)
      )
      const { display, output } = yield* run(SaveMemory, {
        content: "The user likes tea with milk and lives in Porto."
      })
      assert.strictEqual(display, `Knew it already: ${ids.join(", ")}`)
      assert.isTrue(output.message.startsWith(`nothing was saved, it is known already: ${ids.join(", ")}. If it has`))
      assert.include(output.message, "update_memory")
    })
  )

  it.effect("find a conversation only when it is asked for", () =>
    Effect.gen(function* () {
      const { run } = yield* Harness.make
      yield* run(SaveMemory, { content: "said: the moon is full", kind: "conversation" })
      assert.lengthOf((yield* run(SearchMemory, { query: "moon" })).output.results, 0)
      assert.lengthOf((yield* run(SearchMemory, { query: "moon", includeConversation: true })).output.results, 1)
    })
  )

  it.effect("give what was said beside notes, where it is asked for", () =>
    Effect.gen(function* () {
      const { inJournal, run } = yield* Harness.make
      const { treeId } = yield* inJournal(
        Effect.gen(function* () {
          const store = yield* SessionStore.SessionStore
          const lease = yield* store.acquire(SampleJournal.freshId("said"))
          const opened = SampleJournal.opened({ user: "ann" })
          const bodies = [opened, SampleJournal.message("the moon is full")]
          const appends = bodies.map((body, seq) => SampleJournal.append(lease.treeId, seq, body))
          yield* store.commit(SampleJournal.batch(lease, appends))
          return lease
        })
      )
      yield* run(SaveMemory, { content: "Likes the moon" })
      assert.notProperty((yield* run(SearchMemory, { query: "moon" })).output, "said")
      const { display, output } = yield* run(SearchMemory, { query: "moon", includeConversation: true })
      assert.strictEqual(display, "Found 1 note, and 1 that was said")
      assert.deepInclude(output.said?.[0], { text: "the moon is full", speaker: "user", sessionId: treeId, seq: 1 })
      const text = SearchMemory.forModel?.(output as never) ?? ""
      assert.include(text, `- user said: the moon is full [entry 1 of ${treeId}, begun`)
      const other = yield* run(SearchMemory, { query: "moon", includeConversation: true }, { user: "bob" })
      assert.deepStrictEqual(other.output.said, [])
    })
  )

  it.effect("say what is missing without a user, and keep users apart", () =>
    Effect.gen(function* () {
      const { run } = yield* Harness.make
      yield* run(SaveMemory, { content: "Ann likes tea" })
      const calls = [
        Effect.asVoid(run(SaveMemory, { content: "x" }, { user: null })),
        Effect.asVoid(run(SearchMemory, { query: "x" }, { user: null })),
        Effect.asVoid(run(WriteMemoryFile, { path: "a.md", content: "" }, { user: null }))
      ]
      for (const call of calls) {
        const error = yield* Effect.flip(call)
        assert.strictEqual(error._tag, "ExecutionError")
        assert.match(error.message, /nobody is known in this session/)
      }
      assert.lengthOf((yield* run(SearchMemory, { query: "tea" }, { user: "bob" })).output.results, 0)
    })
  )

  it.effect("store no secret: refused, redacted, or kept by a human's decision", () =>
    Effect.gen(function* () {
      const { run } = yield* Harness.make
      const error = yield* Effect.flip(run(SaveMemory, { content: secret }))
      assert.strictEqual(error._tag, "ValidationError")
      const { output } = yield* run(SaveMemory, { content: secret, secrets: "redact" })
      assert.strictEqual(output.message, "saved; hidden: password")
      const parameters = { content: secret, kind: "fact", tags: [], noteId: "n" } as const
      for (const secrets of ["keep", "redact"] as const) {
        for (const tool of [SaveMemory, UpdateMemory]) {
          assert.strictEqual(
            yield* tierOf(tool, { ...parameters, secrets }),
            secrets === "keep" ? "Elevated" : "Workspace"
          )
        }
      }
    })
  )

  it("take as many results and as long a text as they say", () => {
    const search = Schema.is(Schema.toEncoded(SearchMemory.parameters))
    const decode = Schema.decodeUnknownResult(SearchMemory.parameters)
    assert.isTrue(search({ query: "x" }))
    assert.strictEqual(decode({ query: "x", topK: 21 })._tag, "Failure")
    assert.strictEqual(decode({ query: "x", topK: 0 })._tag, "Failure")
    assert.strictEqual(decode({ query: "x", topK: 20 })._tag, "Success")
    const save = Schema.decodeUnknownResult(SaveMemory.parameters)
    assert.strictEqual(save({ content: "x".repeat(16_001) })._tag, "Failure")
    assert.strictEqual(save({ content: "" })._tag, "Failure")
  })
})

/** As the dispatcher asks for it; `classify` of these reads nothing. */
const tierOf = (
  tool: typeof SaveMemory | typeof UpdateMemory,
  parameters: Parameters<typeof SaveMemory.execute>[0] & { readonly noteId: string }
) => {
  const classify = tool.classify as ((given: typeof parameters) => Effect.Effect<Tool.Classification>) | null
  return classify === null ? Effect.succeed(null) : Effect.map(classify(parameters), ({ tier }) => tier)
}
