/** Wake-ups that reach every waiter, also one that begins to wait late. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { vi } from "vitest"
import * as Waiters from "../../src/journal/Waiters.ts"

const turn = Effect.promise(() => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve))))

describe("Waiters", () => {
  it.live("does not wait for a wake-up that came after the caller had looked", () =>
    Effect.gen(function* () {
      for (const name of ["wake", "wakeSoon", "wakeLater", "wakePaced"] as const) {
        const waiters = Waiters.make()
        const seen = waiters.calls()
        waiters[name]()
        yield* waiters.moreSince(seen)
        const fiber = yield* Effect.forkChild(waiters.moreSince(waiters.calls()), { startImmediately: true })
        yield* turn
        assert.isUndefined(fiber.pollUnsafe(), name)
        waiters[name]()
        yield* Fiber.join(fiber)
      }
    })
  )

  it.live("wakes for later items with the next wake-up, or alone if there is none", () =>
    Effect.gen(function* () {
      const [first, second] = [Waiters.make(), Waiters.make()]
      const woken: Array<string> = []
      first.listen(() => woken.push("first"))
      second.listen(() => woken.push("second"))
      first.wakeLater()
      first.wakeLater()
      assert.deepStrictEqual(woken, [])
      first.wake()
      assert.deepStrictEqual(woken, ["first"])
      const ended = yield* Effect.forkChild(second.moreSince(second.calls()), { startImmediately: true })
      second.wakeLater()
      yield* Fiber.join(ended)
      yield* turn
      assert.deepStrictEqual(woken, ["first", "second"], "the first woke twice for the same item")
    })
  )

  it.live("wakes for paced items at once after a pause, and once for those that follow closely", () =>
    Effect.gen(function* () {
      let nowMillis = 0
      const clock = vi.spyOn(process.hrtime, "bigint").mockImplementation(() => BigInt(nowMillis * 1e6))
      yield* Effect.addFinalizer(() => Effect.sync(() => clock.mockRestore()))
      const waiters = Waiters.make()
      let woken = 0
      waiters.listen(() => (woken += 1))
      waiters.wakePaced()
      assert.strictEqual(woken, 1)
      nowMillis = Waiters.lateMillis - 1
      waiters.wakePaced()
      waiters.wakePaced()
      assert.strictEqual(woken, 1)
      yield* waiters.moreSince(waiters.calls())
      yield* turn
      assert.strictEqual(woken, 2, "the items that followed closely share a wake-up")
      // The pause begins with the last wake-up of any kind.
      nowMillis = 2 * Waiters.lateMillis - 2
      waiters.wakePaced()
      assert.strictEqual(woken, 2)
      nowMillis = 2 * Waiters.lateMillis - 1
      waiters.wakePaced()
      assert.strictEqual(woken, 3)
    }).pipe(Effect.scoped)
  )

  it.live("wakes each listener once a turn, and the others although one of them throws", () =>
    Effect.gen(function* () {
      const thrown: Array<unknown> = []
      const others = process.listeners("uncaughtException")
      process.removeAllListeners("uncaughtException")
      process.once("uncaughtException", (error) => thrown.push(error))
      const woken: Array<string> = []
      const broken = Waiters.make()
      broken.listen(() => {
        throw new Error("a bug")
      })
      broken.wakeSoon()
      for (const name of ["a", "b"]) {
        const waiters = Waiters.make()
        const unlisten = waiters.listen(() => woken.push(name))
        waiters.listen(() => woken.push(`${name} too`))
        waiters.wakeSoon()
        waiters.wakeSoon()
        yield* Effect.sync(() => (name === "b" ? unlisten() : undefined))
      }
      yield* turn
      yield* turn
      for (const other of others) process.on("uncaughtException", other)
      assert.deepStrictEqual(woken, ["a", "a too", "b too"])
      assert.strictEqual(thrown.length, 1)
    })
  )
})
