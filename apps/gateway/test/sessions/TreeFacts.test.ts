/** Facts of a tree: each entry is read once for any number of requests. */
import { SessionStore } from "@bough/runtime"
import { Reply } from "@bough/runtime/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as TreeFacts from "../../src/sessions/TreeFacts.ts"
import * as Hosting from "../compatibility/hosting.ts"

describe("TreeFacts", () => {
  it.live("continue from the entries that were read", () =>
    Hosting.run(
      Effect.gen(function* () {
        const { follow, say, sessionId } = yield* Hosting.make([Reply.text("one"), Reply.text("two")])
        const store = yield* SessionStore.SessionStore
        const seen: Array<number> = []
        const counting = {
          entries: (...args: Parameters<typeof store.entries>) =>
            Effect.tap(store.entries(...args), (entries) =>
              Effect.sync(() => seen.push(...entries.map(({ seq }) => seq)))
            )
        }
        const facts = TreeFacts.make(counting)
        const read = Effect.flatMap(store.session(sessionId), facts.read)
        yield* Stream.runDrain(yield* Effect.map(say("a", "1"), follow))
        const first = yield* read
        assert.strictEqual(first.turn, 1)
        const before = seen.length
        assert.deepStrictEqual(yield* read, first)
        assert.lengthOf(seen, before)
        yield* Stream.runDrain(yield* Effect.map(say("b", "2"), follow))
        const [second, again] = yield* Effect.all([read, read], { concurrency: 2 })
        assert.deepStrictEqual(again, second)
        assert.strictEqual(second.turn, 2)
        assert.isTrue(seen.slice(before).every((seq) => seq >= before))
        assert.deepStrictEqual(yield* TreeFacts.make(store).read(yield* store.session(sessionId)), second)
      })
    )
  )
})
