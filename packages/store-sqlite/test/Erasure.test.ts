/** Removed data is in no file any more, and its space is freed. */
import { Note, Session } from "@bough/protocol"
import { BlobStore, SessionStore } from "@bough/runtime"
import { SampleJournal } from "@bough/runtime/testing"
import { NoteStore, ScratchpadStore } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { thoroughOnly } from "../../../test/thorough.ts"
import * as SqliteClient from "../src/driver/SqliteClient.ts"
import * as Erasure from "../src/Erasure.ts"
import { SessionStoreSql } from "../src/index.ts"
import { temporaryDirectory } from "./temporaryDirectory.ts"

const canary = "zebrawood7f3a"

/** Files below a directory that contain the word, in any case. */
const holding = (directory: string): ReadonlyArray<string> =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => join(parentPath, name))
    .filter((path) => readFileSync(path).toString("latin1").toLowerCase().includes(canary.slice(4)))

const place = (hold: string | null) => ({ user: "ann", hold })

const draft = (noteId: string, text: string): NoteStore.Draft => ({
  noteId: Note.NoteId.make(noteId),
  kind: "fact",
  text,
  tags: [],
  source: "",
  untrusted: false,
  createdAtMillis: null
})

/** A tree that has the word in every field of a session. */
const telling = Effect.gen(function* () {
  const store = yield* SessionStore.SessionStore
  const lease = yield* SampleJournal.openTree(0)
  const { treeId } = lease
  const long = SampleJournal.message(`${canary} `.repeat(5000))
  yield* store.commit(
    SampleJournal.batch(
      lease,
      [SampleJournal.append(treeId, 1, SampleJournal.message(canary)), SampleJournal.append(treeId, 2, long)],
      {
        projections: [
          { _tag: "SessionTitle", sessionId: treeId, title: canary },
          { _tag: "ApprovalPending", request: { ...SampleJournal.request(treeId, 1e15), reason: canary } }
        ]
      }
    )
  )
  const command = { _tag: "SteerSession", sessionId: treeId, text: canary } as const
  yield* store.submit({ treeId, dedupeKey: "k", command, principal: "user" })
  yield* (yield* ScratchpadStore.ScratchpadStore).write(treeId, [canary])
  const notes = yield* NoteStore.NoteStore
  yield* notes.save(place(`${treeId}/1`), draft(`held-${treeId}`, `${canary} is held`))
  return lease
})

const fill = Effect.gen(function* () {
  const notes = yield* NoteStore.NoteStore
  for (let n = 0; n < 200; n++) yield* notes.save(place(null), draft(`note-${n}`, `number ${n} of many`))
  return yield* SampleJournal.openTree(50)
})

const bytesOf = (directory: string): number => statSync(join(directory, "bough.db")).size

describe("removed data", () => {
  it.live("is in no file: a session with all its data", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const use = Effect.gen(function* () {
        const store = yield* SessionStore.SessionStore
        yield* fill
        const leases = [yield* telling, yield* telling]
        assert.isNotEmpty(holding(directory))
        for (const lease of leases) {
          yield* store.release(lease)
          yield* store.remove(lease.treeId)
        }
      })
      yield* Effect.provide(use, SessionStoreSql.layer({ directory }))
      assert.deepStrictEqual(holding(directory), [])
    })
  )

  it.live("is in no file while the store is open, in one process or several", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const layer = SessionStoreSql.layer({ directory, leaseMillis: 60 })
      yield* Effect.provide(
        Effect.gen(function* () {
          yield* fill
          const notes = yield* NoteStore.NoteStore
          yield* notes.save(place(null), draft("one", `${canary} is one`))
          yield* notes.save(place(null), draft("two", `two is ${canary}`))
          yield* notes.update(place(null), Note.NoteId.make("two"), {
            text: "two",
            kind: null,
            tags: null,
            untrusted: false
          })
          const other = new DatabaseSync(join(directory, "bough.db"))
          other.prepare("SELECT count(*) FROM notes").get()
          yield* notes.save(place(null), { ...draft("three", "three"), supersedes: [Note.NoteId.make("one")] })
          assert.lengthOf(yield* notes.history(place(null), Note.NoteId.make("three")), 1)
          // The earlier texts are in the histories, and are deleted with them.
          yield* notes.remove(place(null), Note.NoteId.make("two"))
          yield* notes.remove(place(null), Note.NoteId.make("one"))
          assert.lengthOf(yield* notes.history(place(null), Note.NoteId.make("three")), 0)
          while (holding(directory).length > 0) yield* Effect.sleep("5 millis")
          other.close()
        }),
        layer
      )
    })
  )

  it.effect("is erased by the next run if a reader needed the log during the first", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      yield* Effect.provide(Effect.void, SessionStoreSql.layer({ directory }))
      const filename = join(directory, "bough.db")
      const pragmas = { secure_delete: "ON", wal_autocheckpoint: 0 }
      const client = yield* SqliteClient.make({ filename, busyTimeoutMillis: 0, pragmas })
      const erasure = Erasure.make(client, filename)
      yield* client.sync((database) => database.run("INSERT INTO blobs VALUES (?, zeroblob(1), 0)", [canary]))
      const reader = new DatabaseSync(filename)
      reader.exec("BEGIN")
      reader.prepare("SELECT count(*) FROM blobs").get()
      yield* client.sync((database) => database.run("DELETE FROM blobs"))
      erasure.due()
      yield* erasure.run
      assert.isNotEmpty(holding(directory))
      reader.exec("COMMIT")
      reader.close()
      yield* erasure.run
      assert.deepStrictEqual(holding(directory), [])
    })
  )

  it.live(
    "truncates the log that a reader had kept from being moved",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const log = () => statSync(join(directory, "bough.db-wal")).size
        yield* Effect.provide(
          Effect.gen(function* () {
            const blobs = yield* BlobStore.BlobStore
            yield* blobs.put(new Uint8Array([1]))
            const reader = new DatabaseSync(join(directory, "bough.db"))
            reader.exec("BEGIN")
            reader.prepare("SELECT count(*) FROM blobs").get()
            for (let n = 0; n < 20; n++) yield* blobs.put(Buffer.alloc(1_000_000, n))
            assert.isAbove(log(), 20_000_000)
            reader.exec("COMMIT")
            reader.close()
            for (let n = 0; n < 64; n++) yield* blobs.put(Buffer.from(`small ${n}`))
            assert.isBelow(log(), 9_000_000)
          }),
          SessionStoreSql.layer({ directory })
        )
      }),
    thoroughOnly
  )

  it.live(
    "frees its space",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const treeId = yield* Effect.provide(
          Effect.gen(function* () {
            const lease = yield* fill
            const blobs = yield* BlobStore.BlobStore
            for (let n = 0; n < 40; n++) {
              const outputBlob = yield* blobs.put(Buffer.alloc(100_000, n))
              yield* refer(lease, 51 + n, outputBlob)
            }
            return lease.treeId
          }),
          SessionStoreSql.layer({ directory })
        )
        const fresh = new DatabaseSync(join(directory, "bough.db"), { readOnly: true })
        assert.strictEqual(fresh.prepare("PRAGMA auto_vacuum").get()?.["auto_vacuum"], 2)
        fresh.close()
        const full = bytesOf(directory)
        assert.isAbove(full, 4_000_000)
        const remove = Effect.flatMap(SessionStore.SessionStore, (store) => store.remove(treeId))
        yield* Effect.provide(remove, SessionStoreSql.layer({ directory }))
        assert.isBelow(bytesOf(directory), full / 4)
      }),
    thoroughOnly
  )

  it.live("frees its space in an older store, which then does so by itself", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const use = <A, E>(effect: Effect.Effect<A, E, SessionStore.SessionStore>) =>
        Effect.provide(effect, SessionStoreSql.layer({ directory }))
      const [first, second] = yield* use(Effect.all([SampleJournal.openTree(1), SampleJournal.openTree(1)]))
      const change = (statements: string) => {
        const database = new DatabaseSync(join(directory, "bough.db"))
        database.exec(statements)
        const mode = database.prepare("PRAGMA auto_vacuum").get()?.["auto_vacuum"]
        assert.strictEqual(database.prepare("PRAGMA integrity_check").get()?.["integrity_check"], "ok")
        database.close()
        return mode
      }
      const remove = ({ treeId }: SessionStore.Lease) =>
        use(Effect.flatMap(SessionStore.SessionStore, (store) => store.remove(treeId)))
      const older = "PRAGMA journal_mode = DELETE; PRAGMA auto_vacuum = NONE; VACUUM"
      assert.strictEqual(change(`${older}; INSERT INTO blobs VALUES ('x', zeroblob(2000000), 0)`), 0)
      yield* remove(first)
      assert.isBelow(bytesOf(directory), 1_000_000)
      // More pages than are released at a time.
      assert.strictEqual(change("INSERT INTO blobs VALUES ('x', zeroblob(9000000), 0)"), 2)
      yield* remove(second)
      assert.isBelow(bytesOf(directory), 1_000_000)
    })
  )
})

/** A call that ended with that output. */
const refer = (lease: SessionStore.Lease, seq: number, outputBlob: string) =>
  Effect.flatMap(SessionStore.SessionStore, (store) =>
    store.commit(
      SampleJournal.batch(lease, [
        SampleJournal.append(lease.treeId, seq, {
          _tag: "CallEnded",
          toolCallId: Session.ToolCallId.make(`call-${seq}`),
          tool: "run_command",
          outcome: { _tag: "Succeeded", output: '"built"', outputBlob, media: [], display: "Ran make" },
          receipt: null
        })
      ])
    )
  )
