/** The live sessions of a tree: how many there are, and whether any of them can continue. */
import { Session } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { SessionStore } from "../../src/index.ts"
import type { Journal } from "../../src/journal/Journal.ts"
import * as Signal from "../../src/Signal.ts"
import * as Tree from "../../src/tree/Tree.ts"

const idOf = (name: string) => Session.SessionId.make(name)

const journalOf = (children: ReadonlyArray<string>) =>
  ({ state: { liveChildren: new Set(children.map(idOf)) } }) as unknown as Journal["Service"]

const childOf = (children: ReadonlyArray<string>, parkedAt: number | null) =>
  ({
    session: { journal: journalOf(children), inbox: { version: 1 } },
    status: { ...Tree.newStatus(), parkedAt }
  }) as unknown as Tree.Child

describe("the live sessions of a tree", () => {
  it("are counted at every depth", () => {
    const live = new Map([
      [idOf("a"), childOf(["b", "c"], null)],
      [idOf("b"), childOf(["d"], null)],
      [idOf("c"), childOf([], null)],
      [idOf("d"), childOf([], null)]
    ])
    assert.strictEqual(Tree.liveBelow({ live }, journalOf(["a"])), 4)
    assert.strictEqual(Tree.liveBelow({ live }, journalOf([])), 0)
  })

  it("are parked if every child is, and has read its inbox", () => {
    const parked = (...versions: ReadonlyArray<number | null>): boolean => {
      const names = versions.map((_, index) => `child ${index}`)
      const live = new Map(versions.map((version, index) => [idOf(names[index]), childOf([], version)]))
      return Tree.allParked({ live }, journalOf(names))
    }
    assert.isTrue(parked(1))
    assert.isTrue(parked(1, 1))
    assert.isFalse(parked(1, null))
    assert.isFalse(parked(1, 0))
    assert.isFalse(parked())
  })

  it.effect("wake up at a failure of the journal", () =>
    Effect.gen(function* () {
      const changes = Signal.make()
      const tree: Tree.TreeState = { live: new Map(), changes, cancelling: false, failure: null }
      const waiting = yield* Effect.forkChild(changes.waitFor(() => tree.failure))
      yield* Effect.yieldNow
      const failure = new SessionStore.StoreFailed({ operation: "commit", message: "odd", hint: "" })
      Tree.fail(tree, failure)
      yield* Effect.yieldNow
      assert.deepStrictEqual(waiting.pollUnsafe(), Exit.succeed(failure))
    })
  )
})
