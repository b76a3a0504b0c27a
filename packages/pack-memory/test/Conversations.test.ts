/** Conversations, as a session's tools find them: excerpts, labels, and no text that looks like a secret. */
import { Fusion, Memory } from "@bough/memory"
import * as Excerpt from "@bough/memory/Excerpt"
import { Session } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import { SampleJournal } from "@bough/runtime/testing"
import { SessionStoreSql } from "@bough/store-sqlite"
import type { Invocation } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { temporaryDirectory } from "./Harness.ts"

const caller = (user: string | null): Invocation.Invocation["Service"] => ({
  sessionId: Session.SessionId.make("s"),
  sessionPath: [],
  agent: "test",
  user,
  turn: 1,
  step: 1,
  toolCallId: Session.ToolCallId.make("call"),
  callKey: "call",
  labels: [],
  workspaceRoot: "/",
  config: {},
  grants: [],
  facts: []
})

const world = Effect.gen(function* () {
  const directory = yield* temporaryDirectory
  const context = yield* Layer.build(Layer.fresh(SessionStoreSql.layer({ directory })))
  const memory = yield* Memory.make({
    directory,
    embedder: null,
    weights: Fusion.defaultWeights,
    onProgress: () => {}
  }).pipe(Effect.provideContext(context))
  const say = (text: string, labels: ReadonlyArray<Session.Label> = [], workspaceRoot = "/") =>
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      const lease = yield* store.acquire(SampleJournal.freshId("said"))
      const opened = SampleJournal.append(lease.treeId, 0, SampleJournal.opened({ user: "ann", workspaceRoot }))
      const entry = { ...SampleJournal.append(lease.treeId, 1, SampleJournal.message(text)), labels }
      yield* store.commit(SampleJournal.batch(lease, [opened, entry]))
      return lease.treeId
    }).pipe(Effect.provideContext(context))
  const marks: Array<Session.Label> = []
  const find = (text: string, who: Partial<ReturnType<typeof caller>> = {}) =>
    memory
      .read({ ...caller("ann"), ...who }, (label) => void marks.push(label))
      .conversations({ text, limit: 5, workspaceRoot: "/" })
  return { say, find, marks }
})

describe("a conversation", () => {
  it.effect("labels the reader as its entry is labelled, and is not found by its own session", () =>
    Effect.gen(function* () {
      const { find, marks, say } = yield* world
      yield* say("the ferry leaves at noon")
      assert.deepStrictEqual([(yield* find("ferry")).messages.length, ...marks], [1])
      const sessionId = yield* say("a page says that the ferry sank", ["untrusted"])
      assert.lengthOf((yield* find("ferry")).messages, 2)
      assert.deepStrictEqual(marks, ["untrusted"])
      assert.lengthOf((yield* find("sank", { sessionId })).messages, 0)
      const child = { sessionPath: [sessionId, SampleJournal.freshId("child")] }
      assert.lengthOf((yield* find("sank", child)).messages, 0, "below it")
      assert.strictEqual((yield* Effect.flip(find("ferry", { user: null })))._tag, "ExecutionError")
    })
  )

  it.effect("of this workspace ranks first, however well another one's matches", () =>
    Effect.gen(function* () {
      const { find, say } = yield* world
      yield* say("ferry ferry", [], "/elsewhere")
      yield* say("one thing among very many others was a ferry in the distance")
      assert.deepStrictEqual(
        (yield* find("ferry")).messages.map(({ workspaceRoot }) => workspaceRoot),
        ["/", "/elsewhere"]
      )
    })
  )

  it.effect("is returned and indexed without text that looks like a secret", () =>
    Effect.gen(function* () {
      const { find, say } = yield* world
      const token = `ghp_${"a1B2c3D4".repeat(5).slice(0, 36)}`
      yield* say(`my token for the ferry is ${token}`)
      const [{ text }] = (yield* find("ferry")).messages
      assert.notInclude(text, token)
      assert.include(text, "[redacted")
      assert.lengthOf((yield* find(token)).messages, 0)
    })
  )
})

const lengths = Schema.Struct({
  before: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3000 })),
  after: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3000 }))
})
const filler = (length: number): string => "lorem ".repeat(500).slice(0, length)

describe("an excerpt", () => {
  it.prop("contains the words of the query, wherever they are, and is short", [lengths], ([{ after, before }]) => {
    const cut = Excerpt.cut(`${filler(before)} albatross wing ${filler(after)}`, "the albatross' wing")
    return cut.length <= Excerpt.maxLength + 4 && cut.includes("albatross wing")
  })
})
