/**
 * Messages are found by their words, only by the user who sent them, and as the journal contains them, even if the
 * index was lost or changed.
 */
import { type Entry, Principal, Session } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import { SampleJournal } from "@bough/runtime/testing"
import { ConversationIndex } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { thoroughOnly } from "../../../test/thorough.ts"
import { SessionStoreSql } from "../src/index.ts"
import * as Child from "./child.ts"
import { temporaryDirectory } from "./temporaryDirectory.ts"

const replied = (text: string): Entry.BodyOf<"ModelReplied"> => ({
  _tag: "ModelReplied",
  turn: 1,
  step: 1,
  completion: "complete",
  parts: [
    { _tag: "Reasoning", text: "unsaid" },
    { _tag: "Text", text }
  ],
  usage: { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1, costUsd: 0 }
})

type Saying = Entry.Body | { readonly body: Entry.Body; readonly labels: ReadonlyArray<Session.Label> }

/** A Main of that user, with that message. */
const conversation = Effect.fnUntraced(function* (
  user: string | null,
  sayings: ReadonlyArray<Saying>,
  workspaceRoot = "/workspace"
) {
  const store = yield* SessionStore.SessionStore
  const lease = yield* store.acquire(SampleJournal.freshId("said"))
  const { treeId } = lease
  const bodies = [SampleJournal.opened({ user, workspaceRoot }), ...sayings]
  const appends = bodies.map((saying, seq) =>
    "body" in saying
      ? { ...SampleJournal.append(treeId, seq, saying.body), labels: saying.labels }
      : SampleJournal.append(treeId, seq, saying)
  )
  yield* store.commit(SampleJournal.batch(lease, appends))
  return lease
})

const catchUp = { redact: (text: string) => text, maxEntries: 10_000 }

const search = (text: string, more: Partial<ConversationIndex.MessageQuery> = {}) =>
  Effect.flatMap(ConversationIndex.ConversationIndex, (index) =>
    index.search({ user: "ann", text, limit: 10, workspaceRoot: null, without: null, catchUp, ...more })
  )

const found = (text: string, more: Partial<ConversationIndex.MessageQuery> = {}) =>
  Effect.map(search(text, more), ({ messages: said }) =>
    said.map(({ seq, speaker, text }) => `${seq} ${speaker}: ${text}`)
  )

const inStore = <A, E>(
  work: (directory: string) => Effect.Effect<A, E, SessionStoreSql.Stores | Scope.Scope>
): Effect.Effect<A, E | SessionStore.StoreRefused> =>
  Effect.scoped(
    Effect.flatMap(temporaryDirectory, (directory) =>
      Effect.provide(work(directory), SessionStoreSql.layer({ directory }))
    )
  )

const { message } = SampleJournal

describe("a message", () => {
  it.effect("is found with its sender, position and labels, and so is one sent since the last indexing", () =>
    inStore(() =>
      Effect.gen(function* () {
        const lease = yield* conversation("ann", [
          message("where is the harbour pilot's number?"),
          { body: replied("The pilots answer on channel 12."), labels: ["untrusted", "private"] }
        ])
        const { unindexed: left, messages: said } = yield* search("pilot")
        assert.strictEqual(left, 0)
        assert.deepStrictEqual(
          said
            .map(({ labels, sessionId, speaker, workspaceRoot }) => ({ labels, sessionId, speaker, workspaceRoot }))
            .toSorted((one, other) => (one.speaker < other.speaker ? -1 : 1)),
          [
            {
              labels: ["untrusted", "private"],
              sessionId: lease.treeId,
              speaker: "agent",
              workspaceRoot: "/workspace"
            },
            { labels: [], sessionId: lease.treeId, speaker: "user", workspaceRoot: "/workspace" }
          ]
        )
        const store = yield* SessionStore.SessionStore
        yield* store.commit(
          SampleJournal.batch(lease, [SampleJournal.append(lease.treeId, 3, message("and the tide?"))])
        )
        assert.deepStrictEqual(yield* found("tide"), ["3 user: and the tide?"])
        assert.deepStrictEqual(yield* found("tide", { without: lease.treeId }), [])
        assert.deepStrictEqual(yield* found("unsaid"), [], "what is thought is not said")
        assert.deepStrictEqual(yield* found("?!"), [])
      })
    )
  )

  it.effect("is not found if it belongs to another user, workspace or session, or to none", () =>
    inStore(() =>
      Effect.gen(function* () {
        yield* conversation("bob", [message("heron")])
        yield* conversation(null, [message("heron")])
        yield* conversation("ann", [{ ...message("heron"), principal: Principal.runtime }])
        const lease = yield* conversation("ann", [message("crane")], "/elsewhere")
        const store = yield* SessionStore.SessionStore
        const childId = SampleJournal.freshId("child")
        const child = [
          { ...SampleJournal.opened({ kind: "Branch", parentId: lease.treeId, user: "ann" }) },
          message("heron")
        ].map((body, seq) => SampleJournal.append(childId, seq, body))
        yield* store.commit(SampleJournal.batch(lease, child))
        assert.deepStrictEqual(yield* found("heron"), [])
        assert.deepStrictEqual(yield* found("heron", { user: "bob" }), ["1 user: heron"])
        assert.deepStrictEqual(yield* found("crane", { workspaceRoot: "/workspace" }), [])
        assert.deepStrictEqual(yield* found("crane", { workspaceRoot: "/elsewhere" }), ["1 user: crane"])
      })
    )
  )

  it.effect("is returned once if a fork repeats it, and indexed without redacted parts", () =>
    inStore((directory) =>
      Effect.gen(function* () {
        for (const _ of [1, 2]) yield* conversation("ann", [message("the key is sesame")])
        const redacting = { ...catchUp, redact: (text: string) => text.replaceAll("sesame", "[redacted]") }
        assert.deepStrictEqual(yield* found("key", { catchUp: redacting }), ["1 user: the key is sesame"])
        assert.deepStrictEqual(yield* found("sesame", { catchUp: redacting }), [])
        const database = new DatabaseSync(join(directory, "bough.db"), { readOnly: true })
        const blocks = database
          .prepare("SELECT group_concat(hex(block)) AS all_of_it FROM conversation_words_data")
          .get()
        assert.notInclude(String(blocks?.["all_of_it"]), Buffer.from("sesam").toString("hex").toUpperCase())
        database.close()
      })
    )
  )

  it.effect("is indexed within the given limit, and the rest by later runs", () =>
    inStore(() =>
      Effect.gen(function* () {
        const index = yield* ConversationIndex.ConversationIndex
        yield* conversation(
          "ann",
          Array.from({ length: 249 }, (_, n) => message(`gull number${n}`))
        )
        const lefts: Array<number> = []
        for (const maxEntries of [1, 99, 120, 29, 1]) {
          lefts.push(yield* index.catchUp({ ...catchUp, maxEntries }))
        }
        assert.deepStrictEqual(lefts, [249, 150, 30, 1, 0])
        assert.deepStrictEqual(yield* found("number248"), ["249 user: gull number248"])
      })
    )
  )

  it.effect("after an unreadable entry is not indexed, those before it are, and nothing stops", () =>
    inStore((directory) =>
      Effect.gen(function* () {
        const { treeId } = yield* conversation(
          "ann",
          ["one", "two", "three"].map((word) => message(`tern ${word}`))
        )
        const database = new DatabaseSync(join(directory, "bough.db"))
        database.prepare("UPDATE entries SET body = '{}' WHERE session_id = ? AND seq = 2").run(treeId)
        database.close()
        yield* conversation("ann", [message("tern four")])
        const { unindexed: left, messages: said } = yield* search("tern")
        assert.strictEqual(left, 0)
        assert.deepStrictEqual(said.map(({ text }) => text).toSorted(), ["tern four", "tern one"])
      })
    )
  )

  it.effect("is in no file any more when its session was removed", () =>
    inStore((directory) =>
      Effect.gen(function* () {
        const canary = "zebrawoodqx7"
        const kept = yield* conversation("ann", [message("a petrel stays")])
        const { treeId } = yield* conversation("ann", [message(canary), replied(`${canary} it is, petrel`)])
        assert.lengthOf(yield* found(canary), 2)
        const store = yield* SessionStore.SessionStore
        for (const lease of [kept, { ...kept, treeId }]) yield* store.release(lease)
        const holding = () =>
          readdirSync(directory).filter((file) => readFileSync(join(directory, file)).includes(canary.slice(4)))
        assert.isNotEmpty(holding())
        yield* Effect.provide(
          Effect.flatMap(SessionStore.SessionStore, (other) => other.remove(treeId)),
          SessionStoreSql.layer({ directory })
        )
        assert.deepStrictEqual(holding(), [])
        assert.deepStrictEqual(yield* found("petrel"), ["1 user: a petrel stays"])
      })
    )
  )
})

/** Damage to the tables of the index; all of it is SQLite's own, seen from outside. */
const damages: Readonly<Record<string, string>> = {
  "blocks of its words are garbled": "UPDATE conversation_words_data SET block = x'ffffffffff'",
  "blocks of its words are gone": "DELETE FROM conversation_words_data",
  "its segments are gone": "DELETE FROM conversation_words_idx; DELETE FROM conversation_words_data WHERE id > 10",
  "its settings are gone": "DELETE FROM conversation_words_config",
  "its sizes are garbled": "UPDATE conversation_words_docsize SET sz = x'ff'"
}

describe("a damaged index of messages", () => {
  for (const [what, sql] of Object.entries(damages)) {
    it.effect(`is built again from the journals if ${what}, and removing a session does not fail`, () =>
      inStore((directory) =>
        Effect.gen(function* () {
          const first = yield* conversation("ann", [message("a plover"), replied("two plovers")])
          const second = yield* conversation("ann", [message("no plover")])
          const before = (yield* found("plover")).toSorted()
          assert.lengthOf(before, 3)
          const damage = () => {
            const database = new DatabaseSync(join(directory, "bough.db"), { defensive: false })
            database.exec(sql)
            database.close()
          }
          damage()
          assert.deepStrictEqual((yield* found("plover")).toSorted(), before)
          damage()
          const store = yield* SessionStore.SessionStore
          yield* store.commit(SampleJournal.batch(first, [SampleJournal.append(first.treeId, 3, message("plover 3"))]))
          yield* store.release(second)
          yield* store.remove(second.treeId)
          assert.deepStrictEqual((yield* found("plover")).toSorted(), [
            "1 user: a plover",
            "2 agent: two plovers",
            "3 user: plover 3"
          ])
        })
      )
    )
  }
})

describe("an index of messages that cannot be repaired", () => {
  for (const sql of ["DROP TABLE conversation_words_idx", "DROP TABLE conversation_words_config"]) {
    it.effect(`fails its own search alone: ${sql}`, () =>
      inStore((directory) =>
        Effect.gen(function* () {
          const lease = yield* conversation("ann", [message("a plover")])
          yield* search("plover")
          const database = new DatabaseSync(join(directory, "bough.db"), { defensive: false })
          database.exec(sql)
          database.close()
          const after = Effect.gen(function* () {
            const store = yield* SessionStore.SessionStore
            const failed = yield* Effect.result(search("plover"))
            assert.isTrue(Result.isSuccess(failed) || failed.failure._tag === "NoteStoreFailed")
            const index = yield* ConversationIndex.ConversationIndex
            const both = { concurrency: "unbounded" } as const
            const taken = yield* store.acquire(lease.treeId)
            const next = SampleJournal.append(lease.treeId, 2, message("plover 2"))
            yield* Effect.all(
              [Effect.ignore(index.catchUp(catchUp)), store.commit(SampleJournal.batch(taken, [next]))],
              both
            )
            assert.lengthOf(yield* store.entries(lease.treeId, 0, 10), 3)
            yield* store.release(taken)
            yield* store.remove(lease.treeId)
          })
          yield* (yield* SessionStore.SessionStore).release(lease)
          yield* Effect.provide(after, Layer.fresh(SessionStoreSql.layer({ directory })))
        })
      )
    )
  }
})

const birds = ["auk", "booby", "coot", "dunlin", "egret", "fulmar"]

const filled = Effect.gen(function* () {
  for (const bird of birds) {
    yield* conversation(
      "ann",
      Array.from({ length: 60 }, (_, n) => message(`${bird} ${n}`))
    )
  }
})

/** Each text once, and findable. */
const assertWhole = Effect.fnUntraced(function* (directory: string) {
  for (const bird of birds) assert.lengthOf(yield* found(bird, { limit: 100 }), 60)
  const database = new DatabaseSync(join(directory, "bough.db"), { readOnly: true })
  const rows =
    "SELECT (SELECT count(*) FROM conversation_texts) AS texts, (SELECT count(*) FROM conversation_words_docsize) AS words"
  assert.deepStrictEqual({ ...database.prepare(rows).get() }, { texts: 360, words: 360 })
  database.close()
})

describe("processes that index messages", () => {
  it.live("share the work without repeating it, though they start together", () =>
    inStore((directory) =>
      Effect.gen(function* () {
        yield* filled
        const children = yield* Effect.forEach([1, 2], () => Child.start("indexConversations", [directory, "Infinity"]))
        for (const child of children) assert.strictEqual(yield* child.line, "ready", child.complaints())
        for (const child of children) yield* child.say("go")
        for (const child of children) assert.strictEqual((yield* Child.lines(child)).at(-1), "0", child.complaints())
        yield* assertWhole(directory)
      })
    )
  )

  it.live(
    "lose nothing when they are killed in the middle",
    () =>
      inStore((directory) =>
        Effect.gen(function* () {
          yield* filled
          for (const runs of [1, 2, 3]) {
            const child = yield* Child.start("indexConversations", [directory, `${runs}`])
            assert.strictEqual(yield* child.line, "ready", child.complaints())
            yield* child.say("go")
            let left = Infinity
            for (let run = 0; run < runs; run++) left = Number(yield* child.line)
            assert.isAbove(left, 0)
            // Before, in or after the transaction of the fifty.
            yield* child.say("go")
            yield* Effect.sleep(`${Math.floor(Math.random() * 12)} millis`)
            yield* child.kill
          }
          yield* assertWhole(directory)
        })
      ),
    thoroughOnly
  )
})
