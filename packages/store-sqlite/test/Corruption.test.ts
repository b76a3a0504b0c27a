/** Damage inside a store that opens: its position is named, and nothing is skipped. */
import { Canonical, type Session } from "@bough/protocol"
import { BlobStore, SessionStore } from "@bough/runtime"
import { SampleJournal } from "@bough/runtime/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { QuickCheck, SessionStoreSql } from "../src/index.ts"
import { temporaryDirectory } from "./temporaryDirectory.ts"

const open = <A, E>(directory: string, body: Effect.Effect<A, E, SessionStore.SessionStore | BlobStore.BlobStore>) =>
  Effect.provide(body, SessionStoreSql.layer({ directory }))

/** A closed store with a tree of 20 short messages (entries 1 to 20) and a long one. */
const written = Effect.gen(function* () {
  const directory = yield* temporaryDirectory
  const treeId = yield* open(
    directory,
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      const lease = yield* SampleJournal.openTree(20)
      const long = SampleJournal.append(lease.treeId, 21, SampleJournal.message("long ".repeat(9000)))
      yield* store.commit(SampleJournal.batch(lease, [long]))
      return lease.treeId
    })
  )
  return { directory, treeId }
})

const sql = (directory: string, statements: string): void => {
  const database = new DatabaseSync(join(directory, "bough.db"), { enableForeignKeyConstraints: false })
  database.exec(statements)
  database.close()
}

const reading = (directory: string, treeId: Session.SessionId, fromSeq = 0) =>
  open(
    directory,
    Effect.flatMap(SessionStore.SessionStore, (store) => Effect.result(store.entries(treeId, fromSeq, 1000)))
  )

const assertCorrupt = Effect.fnUntraced(function* (directory: string, treeId: Session.SessionId, seq: number) {
  const result = yield* reading(directory, treeId)
  const error = result._tag === "Failure" ? result.failure : null
  assert.instanceOf(error, SessionStore.JournalCorrupt)
  assert.strictEqual(error.sessionId, treeId)
  assert.strictEqual(error.seq, seq)
  return error.message
})

const damages: ReadonlyArray<readonly [name: string, statements: string, seq: number]> = [
  ["a changed body", "UPDATE entries SET body = replace(body, 'message 4', 'message 9') WHERE seq = 5", 5],
  ["a changed digest", "UPDATE entries SET digest = 'sha256:00' WHERE seq = 6", 6],
  ["a missing entry", "DELETE FROM entries WHERE seq = 7", 7],
  ["missing first entries", "DELETE FROM entries WHERE seq < 3", 0],
  ["missing last entries", "DELETE FROM entries WHERE seq > 17", 18],
  ["all entries missing", "DELETE FROM entries", 0],
  [
    "two entries in each other's place",
    "UPDATE entries SET seq = 1000 WHERE seq = 8; UPDATE entries SET seq = 8 WHERE seq = 9; UPDATE entries SET seq = 9 WHERE seq = 1000",
    8
  ],
  ["a body of a later version", "UPDATE entries SET v = 99 WHERE seq = 10", 10],
  ["labels that nobody knows", `UPDATE entries SET labels = '["secret"]' WHERE seq = 11`, 11],
  ["a missing blob", "DELETE FROM blobs", 21],
  ["a changed blob", "UPDATE blobs SET bytes = x'00'", 21]
]

describe("damage", () => {
  for (const [name, statements, seq] of damages) {
    it.effect(`${name} is JournalCorrupt at entry ${seq}`, () =>
      Effect.gen(function* () {
        const { directory, treeId } = yield* written
        sql(directory, statements)
        const message = yield* assertCorrupt(directory, treeId, seq)
        assert.strictEqual(/is missing/.test(message), /missing/.test(name), message)
      })
    )
  }

  it.effect("a body that matches its digest but no known schema is JournalCorrupt", () =>
    Effect.gen(function* () {
      const { directory, treeId } = yield* written
      const result = yield* reading(directory, treeId)
      const previous = result._tag === "Success" ? result.success[19].digest : ""
      for (const body of ['{"_tag":"Unheard"}', '{"_tag":"UserMessage"}', "not JSON"]) {
        sql(
          directory,
          `UPDATE entries SET body = '${body}', digest = '${Canonical.chain(previous, body)}' WHERE seq = 20`
        )
        yield* assertCorrupt(directory, treeId, 20)
      }
    })
  )

  it.effect("one flipped bit in the file names its entry", () =>
    Effect.gen(function* () {
      const { directory, treeId } = yield* written
      const path = join(directory, "bough.db")
      const bytes = readFileSync(path)
      const text = '"text":"message 12"'
      assert.isAbove(bytes.indexOf(text), 0)
      // Everywhere: SQLite leaves old copies in the unused part of its pages.
      for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text)) bytes[at + 10] ^= 0x01
      writeFileSync(path, bytes)
      assert.match(yield* assertCorrupt(directory, treeId, 13), /does not fit its digest/)
    })
  )

  it.effect("before a page is found through the page, and after it does not affect it", () =>
    Effect.gen(function* () {
      const { directory, treeId } = yield* written
      sql(directory, "UPDATE entries SET body = replace(body, 'message 4', 'message 9') WHERE seq = 5")
      const later = yield* reading(directory, treeId, 6)
      assert.strictEqual(later._tag === "Success" && later.success[0].seq, 6)
      sql(directory, "UPDATE entries SET digest = 'sha256:00' WHERE seq = 8")
      const after = yield* reading(directory, treeId, 9)
      assert.strictEqual(after._tag === "Failure" && after.failure._tag, "JournalCorrupt")
    })
  )

  it.effect("a page that SQLite cannot read is StoreFailed with a hint", () =>
    Effect.gen(function* () {
      const { directory, treeId } = yield* written
      const path = join(directory, "bough.db")
      const bytes = readFileSync(path)
      const page = Math.floor(bytes.indexOf('"text":"message 12"') / 4096)
      bytes.fill(0xff, page * 4096, page * 4096 + 200)
      writeFileSync(path, bytes)
      const result = yield* reading(directory, treeId)
      const error = result._tag === "Failure" ? result.failure : null
      assert.instanceOf(error, SessionStore.StoreFailed)
      assert.match(error.message, /damaged/)
      assert.match(error.hint, /bough doctor/)
    })
  )

  it.effect("a changed blob is not returned", () =>
    Effect.gen(function* () {
      const { directory } = yield* written
      const bytes = new TextEncoder().encode("the whole output")
      const digest = yield* open(
        directory,
        Effect.flatMap(BlobStore.BlobStore, (blobs) => blobs.put(bytes))
      )
      sql(directory, `UPDATE blobs SET bytes = x'00' WHERE digest = '${digest}'`)
      const error = yield* open(
        directory,
        Effect.flatMap(BlobStore.BlobStore, (blobs) => Effect.flip(blobs.get(digest)))
      )
      assert.match(error.message, /does not fit its digest/)
    })
  )

  it.effect("in an inbox row or a session's row is StoreFailed, never half a list", () =>
    Effect.gen(function* () {
      const { directory, treeId } = yield* written
      const submit = Effect.flatMap(SessionStore.SessionStore, (store) =>
        store.submit({
          treeId,
          dedupeKey: "k",
          command: { _tag: "SteerSession", sessionId: treeId, text: "x" },
          principal: "user"
        })
      )
      yield* open(directory, submit)
      sql(directory, "UPDATE inbox SET command = '{}'; UPDATE sessions SET kind = 'Main', state = 'Dreaming'")
      const read = <A, E>(f: (store: SessionStore.SessionStore["Service"]) => Effect.Effect<A, E>) =>
        open(
          directory,
          Effect.flatMap(SessionStore.SessionStore, (store) => Effect.flip(f(store)))
        )
      const errors = [
        yield* read((store) => store.inbox(treeId)),
        yield* read((store) => store.session(treeId)),
        yield* read((store) => store.list({ workspaceRoot: null, limit: 5 }))
      ]
      for (const error of errors) assert.strictEqual(error._tag, "StoreFailed")
    })
  )

  it.effect("is found by the check, which reports nothing for an undamaged store", () =>
    Effect.gen(function* () {
      const { directory, treeId } = yield* written
      assert.deepStrictEqual(yield* QuickCheck.problems({ directory }), [])
      sql(directory, "UPDATE entries SET body = replace(body, 'message 4', 'message 9') WHERE seq = 5")
      const [problem, ...others] = yield* QuickCheck.problems({ directory })
      assert.match(
        problem,
        /^session \S+: entry 5 does not fit its digest: it gives sha256:\w+, and sha256:\w+ is stored$/
      )
      assert.include(problem, treeId)
      assert.lengthOf(others, 0)
      sql(directory, "DELETE FROM sessions")
      assert.include(yield* QuickCheck.problems({ directory }), "a row of entries refers to a missing row of sessions")
    })
  )
})
