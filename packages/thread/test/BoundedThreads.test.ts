/** Threads that hang, fill memory, throw or end: the caller gets an error, and the next request is served. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { chosenOf, thorough } from "../../../test/thorough.ts"
import { BoundedThreads } from "../src/index.ts"
import type { Work } from "./works.ts"

interface Echoed {
  readonly text: string
  readonly threadId: number
}

const threads = (bounds: Partial<BoundedThreads.BoundedThreadsOptions> = {}) =>
  BoundedThreads.make<Work, Echoed>({
    module: new URL("works.ts", import.meta.url),
    maxHeapMegabytes: 64,
    maxGrowthMegabytes: 256,
    maxMillis: 25_000,
    ...bounds
  })

const echo = { _tag: "Echo", text: "still here" } as const

describe("BoundedThreads", () => {
  it.live("one thread answers requests one after another; concurrent requests have one each", () =>
    Effect.gen(function* () {
      const { run } = threads()
      const [first, second] = [yield* run(echo), yield* run(echo)]
      assert.strictEqual(first.threadId, second.threadId)
      const both = yield* Effect.all([run(echo), run(echo)], { concurrency: 2 })
      assert.strictEqual(new Set(both.map(({ threadId }) => threadId)).size, 2)
    })
  )

  const endless = [
    ["Spin", "Time", { maxMillis: 100 }],
    ["Hang", "Time", { maxMillis: 100 }],
    ["FillHeap", "Memory", {}],
    ["FillBuffers", "Memory", {}],
    ["Throw", "Crashed", {}],
    ["Exit", "Crashed", {}]
  ] as const

  it.live.each(chosenOf(endless, (index) => endless[index]?.[0] !== "FillHeap"))(
    "work that does %s ends by %s, and the next request is served",
    ([_tag, reason, bounds]) =>
      Effect.gen(function* () {
        const { run } = threads(bounds)
        const failure = yield* Effect.flip(run({ _tag }))
        assert.deepStrictEqual([failure._tag, failure.reason], ["ThreadEnded", reason])
        const next = threads()
        assert.strictEqual((yield* next.run(echo)).text, "still here")
        if (_tag !== "Spin" && _tag !== "Hang") assert.strictEqual((yield* run(echo)).text, "still here")
      }),
    thorough
  )

  it.live("interrupting a request ends its thread, and the main thread continues meanwhile", () =>
    Effect.gen(function* () {
      const { run } = threads()
      const { threadId } = yield* run(echo)
      const spinning = yield* Effect.forkChild(run({ _tag: "Spin" }), { startImmediately: true })
      // Timers of this thread run while that one spins.
      for (let turn = 0; turn < 5; turn++) yield* Effect.sleep(1)
      yield* Fiber.interrupt(spinning)
      assert.notStrictEqual((yield* run(echo)).threadId, threadId)
    })
  )

  it.live("a request that spins blocks no other", () =>
    Effect.gen(function* () {
      const { run } = threads()
      const spinning = yield* Effect.forkChild(run({ _tag: "Spin" }), { startImmediately: true })
      assert.strictEqual((yield* run(echo)).text, "still here")
      yield* Fiber.interrupt(spinning)
    })
  )
})
