/** Blobs are deleted with the tree that named them, unless another names them or may be about to. */
import { Canonical, type Entry, Session } from "@bough/protocol"
import { BlobStore, SessionStore } from "@bough/runtime"
import { SampleJournal } from "@bough/runtime/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { TestClock } from "effect/testing"
import { SessionStoreSql } from "../src/index.ts"
import { temporaryDirectory } from "./temporaryDirectory.ts"

const inNewDirectory = Layer.unwrap(Effect.map(temporaryDirectory, (directory) => SessionStoreSql.layer({ directory })))

const ended = (outputBlob: string): Entry.Body => ({
  _tag: "CallEnded",
  toolCallId: Session.ToolCallId.make("call-1"),
  tool: "run_command",
  outcome: { _tag: "Succeeded", output: '""', outputBlob, media: [], display: "Ran" },
  receipt: null
})

const put = (text: string) => Effect.flatMap(BlobStore.BlobStore, (blobs) => blobs.put(new TextEncoder().encode(text)))
const isThere = (digest: string) =>
  Effect.flatMap(BlobStore.BlobStore, (blobs) => Effect.map(blobs.get(digest), (bytes) => bytes !== null))

/** A tree whose second entry names the blob. */
const naming = Effect.fnUntraced(function* (digest: string) {
  const store = yield* SessionStore.SessionStore
  const lease = yield* SampleJournal.openTree(0)
  yield* store.commit(SampleJournal.batch(lease, [SampleJournal.append(lease.treeId, 1, ended(digest))]))
  return lease
})

const removed = Effect.fnUntraced(function* (lease: SessionStore.Lease) {
  const store = yield* SessionStore.SessionStore
  yield* store.release(lease)
  yield* store.remove(lease.treeId)
})

describe("a removed tree", () => {
  it.effect("removes the outputs and long bodies that it alone named", () =>
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      const output = yield* put("only here")
      const lease = yield* naming(output)
      const long = SampleJournal.message("long ".repeat(9000))
      const body = Canonical.digestOf(long)
      yield* store.commit(SampleJournal.batch(lease, [SampleJournal.append(lease.treeId, 2, long)]))
      assert.isTrue((yield* isThere(output)) && (yield* isThere(body)))
      yield* removed(lease)
      assert.isFalse((yield* isThere(output)) || (yield* isThere(body)))
    }).pipe(Effect.provide(inNewDirectory))
  )

  it.effect("leaves blobs that another tree names, until that is removed, too", () =>
    Effect.gen(function* () {
      const output = yield* put("in both")
      const [first, second] = [yield* naming(output), yield* naming(output)]
      yield* removed(first)
      assert.isTrue(yield* isThere(output))
      yield* removed(second)
      assert.isFalse(yield* isThere(output))
    }).pipe(Effect.provide(inNewDirectory))
  )

  it.effect("leaves blobs that were stored again since, which an entry may be about to name", () =>
    Effect.gen(function* () {
      const output = yield* put("again")
      const first = yield* naming(output)
      yield* TestClock.adjust("1 second")
      yield* put("again")
      yield* removed(first)
      assert.isTrue(yield* isThere(output))
      const second = yield* naming(output)
      yield* removed(second)
      assert.isFalse(yield* isThere(output))
    }).pipe(Effect.provide(inNewDirectory))
  )

  it.effect("sweeps up old unnamed blobs of a crash, and none of today", () =>
    Effect.gen(function* () {
      const old = yield* put("left by a crash")
      yield* TestClock.adjust("2 hours")
      const fresh = yield* put("just stored")
      yield* removed(yield* naming(yield* put("named")))
      assert.isFalse(yield* isThere(old))
      assert.isTrue(yield* isThere(fresh))
    }).pipe(Effect.provide(inNewDirectory))
  )
})
