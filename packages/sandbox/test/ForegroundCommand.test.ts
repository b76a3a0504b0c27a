/** A command that a call waits for: its time limit, on the test's clock. */
import { Session } from "@bough/protocol"
import { PausableTimeout } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import * as BackgroundCommand from "../src/internal/BackgroundCommand.ts"
import * as ForegroundCommand from "../src/internal/ForegroundCommand.ts"

const id = Session.SessionId.make("a")
const started = { id: "", sessionId: id, treeId: id, text: "x", startedAtMillis: 0 }

/** A run that prints and never ends, its command, and whether it was killed. */
const begin = (atTimeLimit: "kill" | "leave", pauses = PausableTimeout.make()) => {
  const command = BackgroundCommand.make(started, null)
  const state = { killed: false, kept: false }
  const foreground = ForegroundCommand.make({
    command,
    invoke: "x",
    options: { timeoutMillis: 1000, atTimeLimit },
    pauses,
    run: ({ options }) =>
      Effect.andThen(options.onOutput?.("stdout", "so far\n") ?? Effect.void, Effect.never).pipe(
        Effect.onInterrupt(() => Effect.sync(() => (state.killed = true)))
      )
  })
  const ran = ForegroundCommand.run(foreground, {
    begin: (whole) => Effect.forkDetach(whole, { startImmediately: true }),
    keep: () => {
      state.kept = true
      command.id = "cmd-1"
    }
  })
  return { ran, state, pauses }
}

describe("A command that a call waits for", () => {
  it.effect("is killed at its time limit, and its output so far is kept", () =>
    Effect.gen(function* () {
      const { ran, state } = begin("kill")
      const fiber = yield* Effect.forkChild(Effect.flip(ran), { startImmediately: true })
      yield* TestClock.adjust(999)
      assert.isFalse(state.killed)
      yield* TestClock.adjust(1)
      const error = yield* Fiber.join(fiber)
      assert.strictEqual(error._tag, "Timeout")
      assert.include("hint" in error ? error.hint : "", "so far")
      assert.deepStrictEqual(state, { killed: true, kept: false })
    })
  )

  it.effect("is left running at its time limit if that was requested", () =>
    Effect.gen(function* () {
      const { ran, state } = begin("leave")
      const fiber = yield* Effect.forkChild(ran, { startImmediately: true })
      yield* TestClock.adjust(1000)
      const { continuesAs, elapsedMillis, stdout } = yield* Fiber.join(fiber)
      assert.deepStrictEqual(continuesAs, { commandId: "cmd-1", nextOffset: 7 })
      assert.deepStrictEqual([stdout, elapsedMillis], ["so far\n", 1000])
      assert.deepStrictEqual(state, { killed: false, kept: true })
    })
  )

  it.effect("has its time paused while a user is asked", () =>
    Effect.gen(function* () {
      const { pauses, ran, state } = begin("kill")
      const fiber = yield* Effect.forkChild(Effect.flip(ran), { startImmediately: true })
      yield* Effect.forkChild(PausableTimeout.pauseDuring(pauses, Effect.sleep(5000)), { startImmediately: true })
      yield* TestClock.adjust(5500)
      assert.isFalse(state.killed)
      yield* TestClock.adjust(500)
      assert.strictEqual((yield* Fiber.join(fiber))._tag, "Timeout")
    })
  )
})
