import { Note } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import { SampleJournal } from "@bough/runtime/testing"
import { NoteStore, type Tool } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { DeleteMemory, SaveMemory, SearchMemory, UpdateMemory, WriteMemoryFile } from "../src/index.ts"
import * as Harness from "./Harness.ts"

const secret = "the deploy password is hunter2222"

const forModel = (output: Parameters<NonNullable<typeof SearchMemory.forModel>>[0]): string =>
  SearchMemory.forModel?.(output) ?? ""

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
          confidence: "sure",
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

  it.effect("report their confidence in each result, and when nothing matches", () =>
    Effect.gen(function* () {
      const { run } = yield* Harness.make
      yield* run(SaveMemory, { content: "The harbour office opens at seven" })
      yield* run(SaveMemory, { content: "The chimney sweep comes in September" })
      const sure = yield* run(SearchMemory, { query: "when does the harbour office open" })
      assert.deepStrictEqual([sure.output.fits, sure.display], [true, "Found 1 note"])
      assert.match(forModel(sure.output), /^- \(sure [01]\.\d\d\) The harbour office opens at seven \[note-/)
      const none = yield* run(SearchMemory, { query: "which colour do the curtains of the office have" })
      assert.deepStrictEqual([none.output.fits, none.display], [false, "Found no note that clearly fits, and 1 near"])
      assert.match(
        forModel(none.output),
        /^\[nothing that is remembered clearly fits; the nearest notes are these\]\n- \(maybe 0\.\d\d\) The harbour/
      )
      const nothing = yield* run(SearchMemory, { query: "umbrella" })
      assert.deepStrictEqual([nothing.output.fits, nothing.display], [false, "Found 0 notes"])
      assert.strictEqual(forModel(nothing.output), "[no note found]")
    })
  )

  it.effect("name the notes that already say it, and what to do if it has changed", () =>
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

  it.effect("name the notes that may have changed, and supersede them", () =>
    Effect.gen(function* () {
      const { run } = yield* Harness.make
      const first = yield* run(SaveMemory, { content: "The stand-up is at 9:30 in the small room" })
      assert.deepStrictEqual(first.output.near, [])
      const second = yield* run(SaveMemory, { content: "The stand-up has moved to 10:15" })
      assert.deepStrictEqual(
        second.output.near.map(({ noteId }) => noteId),
        [first.output.noteId]
      )
      assert.include(second.output.message, `near: ${first.output.noteId} "The stand-up is at 9:30 in the small room"`)
      yield* run(DeleteMemory, { noteId: second.output.noteId })
      const { noteId } = first.output
      const third = yield* run(SaveMemory, {
        content: "The stand-up has moved to 10:15",
        supersedes: [noteId.slice(0, 13)]
      })
      assert.deepStrictEqual(third.output.near, [])
      const { output } = yield* run(SearchMemory, { query: "stand-up", history: true })
      assert.deepStrictEqual(
        output.results.map(({ history, text }) => [text, history?.map((past) => [past.text, past.reason])]),
        [["The stand-up has moved to 10:15", [["The stand-up is at 9:30 in the small room", "superseded"]]]]
      )
      for (const call of [
        run(UpdateMemory, { noteId, content: "x" }),
        run(SaveMemory, { content: "y", supersedes: [noteId] })
      ]) {
        const error = yield* Effect.flip(Effect.asVoid(call))
        assert.include(error.message, `${third.output.noteId} supersedes it`)
      }
      const unknown = yield* Effect.flip(run(SaveMemory, { content: "y", supersedes: ["note-x"] }))
      assert.match(unknown.message, /there is no note note-x: search_memory/)
    })
  )

  it.live("say when a note ended, after all current ones, and recall it no more", () =>
    Effect.gen(function* () {
      const { run } = yield* Harness.make
      const ended = yield* run(SaveMemory, { content: "Parks in garage seven", validUntil: "1999-12-31" })
      yield* run(SaveMemory, {
        content: "Parks, for as long as the street is closed, in the garage",
        validUntil: "2999-12-31"
      })
      yield* run(SaveMemory, { content: "A garage is what the car was bought with, long ago, in another town" })
      const { output } = yield* run(SearchMemory, { query: "parks in garage seven" })
      assert.deepStrictEqual(
        output.results.map((found) => [found.validUntil, found.ended]),
        [
          ["2999-12-31", false],
          [undefined, undefined],
          ["1999-12-31", true]
        ]
      )
      assert.include(SearchMemory.forModel?.(output), "ended 1999-12-31")
      const again = yield* run(SaveMemory, { content: "Parks in garage seven" })
      assert.notStrictEqual(again.output.noteId, ended.output.noteId)
      assert.match(again.output.message, /^saved/)
      const decode = Schema.decodeUnknownResult(SaveMemory.parameters)
      for (const validUntil of ["1 September", "2026-02-31", "2026-9-1", "1969-12-31", "2026-09-01T25:00Z"]) {
        assert.strictEqual(decode({ content: "x", validUntil })._tag, "Failure", validUntil)
      }
      for (const validUntil of ["2026-02-28", "2026-09-01T12:00Z", "2026-09-01T12:00:30.5+02:00"]) {
        assert.strictEqual(decode({ content: "x", validUntil })._tag, "Success", validUntil)
      }
    })
  )

  it.effect("keep the text of a note that was wrong for its user, and delete that of one to be forgotten", () =>
    Effect.gen(function* () {
      const { inJournal, run } = yield* Harness.make
      const past = (noteId: string) =>
        inJournal(
          Effect.flatMap(NoteStore.NoteStore, (store) =>
            store.history({ user: "ann", hold: null }, Note.NoteId.make(noteId))
          )
        )
      for (const reason of ["wrong", "forget"] as const) {
        const { output } = yield* run(SaveMemory, { content: `Likes tea, ${reason}` })
        yield* run(UpdateMemory, { noteId: output.noteId, content: `Likes coffee, ${reason}` })
        yield* run(DeleteMemory, { noteId: output.noteId, reason })
        assert.deepStrictEqual(
          (yield* past(output.noteId)).map((version) => [version.reason, version.endedBy]),
          reason === "forget"
            ? []
            : [
                ["removed", "session s"],
                ["updated", "session s"]
              ]
        )
      }
    })
  )

  it.effect("keep the notes of a project in it", () =>
    Effect.gen(function* () {
      const { run } = yield* Harness.make
      const own = yield* run(SaveMemory, { content: "Tests run with make", scope: "project" })
      yield* run(SaveMemory, { content: "Prefers tests in watch mode" })
      const find = (project: string | null) =>
        Effect.map(run(SearchMemory, { query: "tests" }, { project }), ({ output }) =>
          output.results
            .map((found) => [found.text, found.project])
            .toSorted(([left = ""], [right = ""]) => (left < right ? -1 : 1))
        )
      const users = ["Prefers tests in watch mode", undefined]
      assert.deepStrictEqual(yield* find("/here"), [users, ["Tests run with make", "/here"]])
      assert.deepStrictEqual([yield* find("/there"), yield* find(null)], [[users], [users]])
      const { noteId } = own.output
      for (const call of [
        run(DeleteMemory, { noteId }, { project: "/there" }),
        run(UpdateMemory, { noteId, content: "x" }, { project: "/there" }),
        run(SaveMemory, { content: "x", supersedes: [noteId] }, { project: "/there" })
      ]) {
        assert.match((yield* Effect.flip(Effect.asVoid(call))).message, /there is no note/)
      }
      const nowhere = yield* Effect.flip(run(SaveMemory, { content: "x", scope: "project" }, { project: null }))
      assert.match(nowhere.message, /in no project/)
      yield* run(UpdateMemory, { noteId, content: "Tests run with just", scope: "user" })
      assert.lengthOf(yield* find("/there"), 2)
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

  it.effect("return conversations beside notes if they are requested", () =>
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
      const text = SearchMemory.forModel?.(output) ?? ""
      assert.include(text, `- user said: the moon is full [entry 1 of ${treeId}, begun`)
      const other = yield* run(SearchMemory, { query: "moon", includeConversation: true }, { user: "bob" })
      assert.deepStrictEqual(other.output.said, [])
    })
  )

  it.effect("report a missing user, and keep users apart", () =>
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
        assert.match(error.message, /this session has no user/)
      }
      assert.lengthOf((yield* run(SearchMemory, { query: "tea" }, { user: "bob" })).output.results, 0)
    })
  )

  it.effect("store no secret: refused, redacted, or saved by a user's decision", () =>
    Effect.gen(function* () {
      const { run } = yield* Harness.make
      const error = yield* Effect.flip(run(SaveMemory, { content: secret }))
      assert.strictEqual(error._tag, "ValidationError")
      const { output } = yield* run(SaveMemory, { content: secret, secrets: "redact" })
      assert.strictEqual(output.message, "saved; hidden: password")
      const parameters = {
        content: secret,
        kind: "fact",
        tags: [],
        noteId: "n",
        scope: "user",
        supersedes: []
      } as const
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

  it("accept as many results and as long a text as they declare", () => {
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

/** Calls `classify` like the dispatcher; for these tools it reads nothing. */
const tierOf = (
  tool: typeof SaveMemory | typeof UpdateMemory,
  parameters: Parameters<typeof SaveMemory.execute>[0] & { readonly noteId: string }
) => {
  const classify = tool.classify as ((given: typeof parameters) => Effect.Effect<Tool.Classification>) | null
  return classify === null ? Effect.succeed(null) : Effect.map(classify(parameters), ({ tier }) => tier)
}
