/** A store whose layer has ended: every method of its ports fails with a typed error that says so. */
import { Note, Session } from "@bough/protocol"
import { BlobStore, SessionStore } from "@bough/runtime"
import { SampleJournal } from "@bough/runtime/testing"
import { NoteStore, ScratchpadStore } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { SessionStoreSql } from "../src/index.ts"
import { temporaryDirectory } from "./temporaryDirectory.ts"

/** The ports of a store with one tree, which ends with `scope`. */
const stores = Effect.fnUntraced(function* (scope: Scope.Scope) {
  const context = yield* Layer.buildWithScope(SessionStoreSql.layer({ directory: yield* temporaryDirectory }), scope)
  const lease = yield* Effect.provide(SampleJournal.openTree(1), Layer.succeedContext(context))
  return { context, lease, store: Context.get(context, SessionStore.SessionStore) }
})

const place = { user: "ada", hold: null }
const noteId = Note.NoteId.make("note-1")
const draft: NoteStore.Draft = {
  noteId,
  kind: "fact",
  text: "tea at four",
  tags: [],
  source: "x",
  untrusted: false,
  createdAtMillis: 1
}

/** Every method that can fail, by port and name. */
const methods = (
  context: Context.Context<SessionStoreSql.Stores>,
  lease: SessionStore.Lease
): Readonly<Record<string, Readonly<Record<string, Effect.Effect<unknown, { readonly message: string }>>>>> => {
  const { treeId } = lease
  const store = Context.get(context, SessionStore.SessionStore)
  const blobs = Context.get(context, BlobStore.BlobStore)
  const notes = Context.get(context, NoteStore.NoteStore)
  const scratchpads = Context.get(context, ScratchpadStore.ScratchpadStore)
  const command = { _tag: "SteerSession", sessionId: treeId, text: "hello" } as const
  return {
    sessions: {
      acquire: store.acquire(Session.SessionId.make("another")),
      ownedElsewhere: store.ownedElsewhere(treeId),
      secure: store.secure(lease),
      release: store.release(lease),
      commit: store.commit(
        SampleJournal.batch(lease, [SampleJournal.append(treeId, 2, SampleJournal.message("late"))])
      ),
      entries: store.entries(treeId, 0, 10),
      session: store.session(treeId),
      list: store.list({ workspaceRoot: null, limit: 10 }),
      sessionsOf: store.sessionsOf(treeId),
      describe: store.describe(treeId, { title: "later" }),
      remove: store.remove(treeId),
      submit: store.submit({ treeId, dedupeKey: "k", command, principal: "ada" }),
      inbox: store.inbox(treeId),
      work: store.work,
      workOf: store.workOf(treeId),
      pendingApprovals: store.pendingApprovals(null),
      approval: store.approval("approval-1")
    },
    blobs: { put: blobs.put(new Uint8Array([1])), get: blobs.get("sha256:0") },
    notes: {
      save: notes.save(place, draft),
      update: notes.update(place, noteId, { text: "tea at five", tags: null, kind: null, untrusted: false }),
      remove: notes.remove(place, noteId),
      settle: notes.settle("hold", "Keep"),
      get: notes.get(place, noteId),
      sayingTheSame: notes.sayingTheSame(place, "tea"),
      list: notes.list(place, { tags: [], kinds: [], after: "", limit: 1 }),
      search: notes.search(place, { text: "tea", tags: [], kinds: [], limit: 1 }),
      weigh: notes.weigh(place, "tea", [1]),
      history: notes.history(place, noteId),
      addHistory: notes.addHistory(place, noteId, []),
      numbered: notes.numbered({ user: "ada", hold: null }, { tags: ["a"], kinds: [] }),
      visible: notes.visible(place, [1]),
      staged: notes.staged(place),
      rows: notes.rows(0, 1),
      rowNumbers: notes.rowNumbers,
      counters: notes.counters,
      drops: notes.drops(0, 1),
      vectors: notes.vectors("model", { after: 0, limit: 1 }),
      passingVectors: notes.passingVectors("model", { user: 1, projects: null, tags: [], kinds: [0] }, null),
      keepVectors: notes.keepVectors("model", []),
      clearVectors: notes.clearVectors,
      vectorReport: notes.vectorReport,
      users: notes.users
    },
    scratchpads: { read: scratchpads.read(treeId), write: scratchpads.write(treeId, ["one"]) }
  }
}

describe("a closed store", () => {
  it.effect("fails in every method with that message", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { context, lease } = yield* stores(scope)
      yield* Scope.close(scope, Exit.void)
      for (const [port, all] of Object.entries(methods(context, lease))) {
        for (const [name, method] of Object.entries(all)) {
          const exit = yield* Effect.exit(method)
          const failure = Exit.findErrorOption(exit)
          assert.strictEqual(failure._tag, "Some", `${port}.${name}: ${String(exit)}`)
          if (failure._tag === "Some") assert.match(failure.value.message, /the store was closed/, `${port}.${name}`)
        }
      }
    })
  )

  it.effect("has every method of its ports in the table above", () =>
    Effect.gen(function* () {
      const scope = yield* Effect.scope
      const { context, lease, store } = yield* stores(scope)
      const { blobs, notes, scratchpads, sessions } = methods(context, lease)
      // The methods `now` and `watch…` cannot fail.
      const canFail = Object.keys(store).filter((name) => name !== "now" && !name.startsWith("watch"))
      assert.sameMembers(Object.keys(sessions), canFail)
      assert.sameMembers(Object.keys(blobs), Object.keys(Context.get(context, BlobStore.BlobStore)))
      assert.sameMembers(Object.keys(notes), Object.keys(Context.get(context, NoteStore.NoteStore)))
      assert.sameMembers(Object.keys(scratchpads), Object.keys(Context.get(context, ScratchpadStore.ScratchpadStore)))
    })
  )

  it.effect("answers requests that were queued when it closed: stored, or closed", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { lease, store } = yield* stores(scope)
      const submit = (dedupeKey: string) =>
        store.submit({
          treeId: lease.treeId,
          dedupeKey,
          command: { _tag: "SteerSession", sessionId: lease.treeId, text: dedupeKey },
          principal: "ada"
        })
      // In one run of the loop: the first waits for its microtask, the others for the first, and then the file is
      // closed.
      const fibers = yield* Effect.forEach(["a", "b", "c", "d"], (key) =>
        Effect.forkDetach(Effect.exit(submit(key)), { startImmediately: true })
      )
      yield* Scope.close(scope, Exit.void)
      for (const exit of yield* Effect.forEach(
        [...fibers, yield* Effect.forkDetach(Effect.exit(submit("e")))],
        Fiber.join
      )) {
        const failure = Exit.findErrorOption(exit)
        if (Exit.isSuccess(exit)) assert.isTrue(exit.value.inserted)
        else if (failure._tag === "Some") assert.match(failure.value.message, /the store was closed/)
        else assert.fail(String(exit))
      }
    })
  )
})
