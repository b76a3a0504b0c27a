/** Wake-ups that reach every waiter, also one that begins to wait late. */
import * as Waiters from "../../src/journal/Waiters.ts"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"

const turn = Effect.promise(() => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve))))

describe("Waiters", () => {
  it.live("does not wait for a wake-up that came after the caller had looked", () =>
    Effect.gen(function* () {
      for (const name of ["wake", "wakeSoon", "wakeLater"] as const) {
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
