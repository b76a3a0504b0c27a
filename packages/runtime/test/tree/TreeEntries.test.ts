/** The entries of a tree as one journal: every one, once, in the order of their commits. */
import type { Entry, Session } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { SessionStore, SessionStoreMemory, TreeEntries } from "../../src/index.ts"
import { append, batch, freshId, message, opened } from "../../src/testing/SampleJournal.ts"

const spawned = (childId: Session.SessionId): Entry.Body => ({
  _tag: "ChildSpawned",
  childId,
  kind: "Worker",
  toolCallId: "call" as Session.ToolCallId,
  title: "look",
  budget: { inputTokens: null, outputTokens: null, costUsd: null, activeMillis: null, steps: null, spawns: null }
})

describe("TreeEntries", () => {
  it.effect("follows children from their first entry, page by page", () =>
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      const lease = yield* store.acquire(freshId("tree"))
      const next = new Map<Session.SessionId, number>()
      const drafts = (sessionId: Session.SessionId, ...bodies: ReadonlyArray<Entry.Body>) =>
        bodies.map((body) => {
          const seq = next.get(sessionId) ?? 0
          next.set(sessionId, seq + 1)
          return append(sessionId, seq, body)
        })
      const main = lease.treeId
      const [child, grandchild] = [freshId("child"), freshId("grandchild")]
      yield* store.commit(batch(lease, drafts(main, opened(), message("go"))))
      yield* store.commit(
        batch(lease, [
          ...drafts(main, spawned(child)),
          ...drafts(child, opened({ kind: "Branch", parentId: main })),
          ...drafts(main, message("same commit"))
        ])
      )
      for (let index = 0; index < 300; index++) {
        yield* store.commit(batch(lease, drafts(index % 3 === 0 ? main : child, message(`${index}`))))
        if (index !== 150) continue
        const parent = opened({ kind: "Branch", parentId: child })
        yield* store.commit(batch(lease, [...drafts(child, spawned(grandchild)), ...drafts(grandchild, parent)]))
      }
      const taken: Array<Entry.Entry> = []
      yield* TreeEntries.forEach(store, main, (entry) => Effect.sync(() => void taken.push(entry)))
      assert.lengthOf(taken, 307)
      assert.strictEqual(new Set(taken.map(({ id }) => id)).size, 307)
      assert.deepStrictEqual(
        taken.map(({ commit }) => commit),
        taken.map(({ commit }) => commit).toSorted((a, b) => a - b)
      )
      for (const sessionId of [main, child, grandchild]) {
        const own = taken.filter((entry) => entry.sessionId === sessionId)
        assert.deepStrictEqual(
          own.map(({ seq }) => seq),
          own.map((_, index) => index)
        )
      }
      const below: Array<Entry.Entry> = []
      yield* TreeEntries.forEach(store, grandchild, (entry) => Effect.sync(() => void below.push(entry)))
      assert.deepStrictEqual(
        below.map(({ sessionId }) => sessionId),
        [grandchild]
      )
    }).pipe(Effect.provide(SessionStoreMemory.layer))
  )
})
