/** Keys that were typed ahead answer nothing: the guard alone, and a terminal that asks for a key. */
import * as AnswerGuard from "@bough/tui/keys/AnswerGuard"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import { PassThrough } from "node:stream"
import * as TtyTerminal from "../../src/io/TtyTerminal.ts"

/** A clock that the test moves. */
const clock = () => {
  let now = 0
  let waiting: ReadonlyArray<{ readonly at: number; readonly run: () => void }> = []
  const schedule: AnswerGuard.Schedule = (run, millis) => {
    const one = { at: now + millis, run }
    waiting = [...waiting, one]
    return () => {
      waiting = waiting.filter((other) => other !== one)
    }
  }
  return {
    schedule,
    pass: (millis: number): void => {
      now += millis
      const due = waiting.filter(({ at }) => at <= now)
      waiting = waiting.filter(({ at }) => at > now)
      for (const { run } of due) run()
    }
  }
}

/** A terminal without a screen. */
const terminal = () => {
  const { pass, schedule } = clock()
  const stdin = Object.assign(new PassThrough(), { setRawMode: () => {} })
  const stderr = new PassThrough()
  stderr.resume()
  const { readKey } = TtyTerminal.make({
    stdin: stdin as unknown as NodeJS.ReadStream,
    stderr: stderr as unknown as NodeJS.WriteStream,
    isDumb: false,
    onInterrupt: () => {},
    schedule
  })
  const type = (keys: string): Effect.Effect<void> =>
    Effect.sync(() => stdin.write(keys)).pipe(Effect.andThen(Effect.yieldNow), Effect.andThen(turn))
  return { pass, type, readKey }
}

/** The written bytes have been read. */
const turn = Effect.promise(() => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve))))

describe("AnswerGuard", () => {
  it.prop(
    "opens once after a silence of 500 ms, however often it was restarted, and closes with the next key",
    [Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 800 })))],
    ([pauses]) => {
      const { pass, schedule } = clock()
      let opened = 0
      const guard = AnswerGuard.make(() => void (opened += 1), schedule)
      let expected = 0
      guard.restart()
      for (const pause of pauses) {
        pass(pause)
        if (pause >= AnswerGuard.quietMillis) expected += 1
        assert.strictEqual(guard.isOpen(), pause >= AnswerGuard.quietMillis)
        assert.strictEqual(opened, expected)
        guard.restart()
        assert.isFalse(guard.isOpen())
      }
      guard.stop()
      pass(10_000)
      assert.strictEqual(opened, expected)
    },
    { arbitrary: { runs: 300, size: 20 } }
  )

  it("opens after reading everything that was typed while the process was stopped", async () => {
    const { port1, port2 } = new MessageChannel()
    const order: Array<string> = []
    const opened = new Promise<void>((resolve) => {
      const guard = AnswerGuard.make(() => {
        order.push("open")
        resolve()
      })
      port2.on("message", () => {
        order.push("read")
        port2.close()
      })
      guard.restart()
      port1.postMessage("y")
    })
    // Longer than the silence: the timer and the typed keys are due in the same turn.
    const until = performance.now() + AnswerGuard.quietMillis + 50
    while (performance.now() < until);
    await opened
    assert.deepStrictEqual(order, ["read", "open"])
  })

  it.live("a terminal accepts no key before the keys are shown, and shows them after half a second of silence", () =>
    Effect.gen(function* () {
      const { pass, readKey, type } = terminal()
      let shown = 0
      const reading = yield* Effect.forkChild(readKey(["y", "n"], () => void (shown += 1)))
      yield* turn
      for (const millis of [50, 150, 300, 499]) {
        pass(millis)
        yield* type("y")
        assert.strictEqual(shown, 0)
      }
      yield* type("\u001B[200~y\u001B[201~")
      pass(499)
      yield* type("\u001B[20")
      pass(499)
      yield* type("0~y\u001B[201~")
      pass(499)
      assert.strictEqual(shown, 0)
      pass(1)
      assert.strictEqual(shown, 1)
      yield* type("x")
      yield* type("y")
      pass(500)
      assert.strictEqual(shown, 1)
      yield* type("\u001B[200~y\u001B[201~")
      pass(500)
      // The pasted text ends the paste and begins another one.
      yield* type("\u001B[200~hello\u001B[201~y\u001B[200~\u001B[201~")
      pass(500)
      yield* type("n")
      assert.strictEqual(yield* Fiber.join(reading), "n")
    })
  )

  it.live("a key for one prompt does not answer the next", () =>
    Effect.gen(function* () {
      const { pass, readKey, type } = terminal()
      const first = yield* Effect.forkChild(readKey(["y"], () => {}))
      yield* turn
      pass(500)
      yield* type("y")
      assert.strictEqual(yield* Fiber.join(first), "y")
      const second = yield* Effect.forkChild(readKey(["y", "n"], () => {}))
      yield* turn
      yield* type("y")
      pass(499)
      yield* type("y")
      pass(500)
      yield* type("n")
      assert.strictEqual(yield* Fiber.join(second), "n")
    })
  )
})
