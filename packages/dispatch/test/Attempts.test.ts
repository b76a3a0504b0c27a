/** Tests of intents, retries and their pauses. */
import { ToolError } from "@bough/protocol"
import { Tool } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import { requestFor, done, file, type Setting, world } from "./Harness.ts"
import { any } from "./Tools.ts"

const call = requestFor("read_file", { path: "a" })

type Attempt = () => Effect.Effect<typeof done, ToolError.ToolError>

const hangs: Attempt = () => Effect.never
const passes: Attempt = () => Effect.fail(Tool.transient("the file is busy"))
const fails: Attempt = () => Effect.fail(new ToolError.ExecutionError({ message: "no such file" }))
const works: Attempt = () => Effect.succeed(done)

/** Plays one attempt after another, the last one from then on, and lets all pauses pass. */
const play = (
  replay: Tool.Replay,
  attempts: ReadonlyArray<Attempt>,
  parts: Partial<Tool.Any> = {},
  setting: Partial<Setting> = {}
) =>
  Effect.gen(function* () {
    let played = 0
    const tool = any({
      replay,
      timeoutMillis: () => 1_000,
      execute: () => attempts[Math.min(played++, attempts.length - 1)](),
      ...parts
    })
    const { dispatch, records } = world({ tools: [tool], ...setting })
    const fiber = yield* Effect.forkChild(Effect.result(dispatch(call)))
    yield* TestClock.adjust(10_000)
    const result = yield* Fiber.join(fiber)
    return { result, records, played: () => played }
  })

describe("Attempts", () => {
  it.effect("a Safe call runs without an intent", () =>
    Effect.gen(function* () {
      const { records } = yield* play("Safe", [works])
      assert.deepStrictEqual(records.order, ["ended Succeeded"])
      assert.isTrue(records.ended[0].safe)
    })
  )

  it.effect.each(["Idempotent", "Unsafe"] as const)("an %s call runs after its intent", (replay) =>
    Effect.gen(function* () {
      const { records } = yield* play(replay, [works])
      assert.deepStrictEqual(records.order, ["started 1", "ended Succeeded"])
      assert.isFalse(records.ended[0].safe)
    })
  )

  it.effect("without a recorded intent nothing runs", () =>
    Effect.gen(function* () {
      const { played, result, records } = yield* play("Unsafe", [works], {}, { failing: "started" })
      assert.strictEqual(result._tag, "Failure")
      assert.strictEqual(played(), 0)
      assert.deepStrictEqual(records.order, [])
    })
  )

  it.effect.each(["Idempotent", "Unsafe"] as const)(
    "an %s call whose result could no longer be recorded does not run, with its intent recorded",
    (replay) =>
      Effect.gen(function* () {
        const { played, result, records } = yield* play(replay, [works], {}, { failing: "secure" })
        assert.isTrue(result._tag === "Failure" && result.failure._tag === "NotRecorded")
        assert.strictEqual(played(), 0)
        assert.deepStrictEqual(records.order, ["started 1"])
      })
  )

  it.effect("a result that could not be recorded is a failure of the dispatch", () =>
    Effect.gen(function* () {
      const { result } = yield* play("Unsafe", [works], {}, { failing: "ended" })
      assert.isTrue(result._tag === "Failure" && result.failure._tag === "NotRecorded")
    })
  )

  it.effect("a Safe call is retried after a timeout and after a transient failure, each time with an intent", () =>
    Effect.gen(function* () {
      const { records } = yield* play("Safe", [hangs, passes, works])
      assert.deepStrictEqual(records.order, ["started 2", "started 3", "ended Succeeded"])
      assert.strictEqual(records.ended[0].ended.receipt?.attempt, 3)
    })
  )

  it.effect("at most two retries run, and the last failure is the outcome", () =>
    Effect.gen(function* () {
      const { played, records } = yield* play("Safe", [hangs])
      assert.strictEqual(played(), 3)
      const { outcome } = records.ended[0].ended
      assert.isTrue(
        outcome._tag === "Failed" && outcome.error._tag === "Timeout" && outcome.error.elapsedMillis === 1_000
      )
    })
  )

  it.effect("the pauses grow", () =>
    Effect.gen(function* () {
      const starts: Array<number> = []
      const execute = () =>
        Effect.clockWith((clock) => {
          starts.push(clock.currentTimeMillisUnsafe())
          return passes()
        })
      yield* play("Safe", [], { execute })
      assert.deepStrictEqual(starts, [0, 200, 600])
    })
  )

  it.effect.each([
    ["Unsafe", hangs],
    ["Unsafe", passes],
    ["Safe", fails],
    ["Safe", () => Effect.die("boom")],
    ["Safe", () => Effect.fail(new ToolError.PermissionDenied({ tier: "ReadOnly", reason: "no" }))]
  ] as const)("an %s call with a permanent failure is not retried: %s", ([replay, attempt]) =>
    Effect.gen(function* () {
      const { played } = yield* play(replay, [attempt])
      assert.strictEqual(played(), 1)
    })
  )

  it.effect.each([
    ["Safe", hangs],
    ["Safe", passes],
    ["Idempotent", hangs],
    ["Idempotent", passes]
  ] as const)("an approval is for one attempt: %s", ([replay, first]) =>
    Effect.gen(function* () {
      const { played, records } = yield* play(replay, [first, works], { tier: "Elevated" }, { answers: ["approve"] })
      assert.deepStrictEqual([records.order, played()], [["requested", "started 1", "ended Failed"], 1])
      assert.strictEqual(records.ended[0].ended.receipt?.authority._tag, "User")
    })
  )

  /** A file that the first attempt writes although it reports nothing. */
  const writesThenHangs = (findExisting: Tool.Any["findExisting"]) => {
    let digest = "before"
    const write: Attempt = () =>
      Effect.suspend(() => {
        digest = "after"
        return Effect.never
      })
    const preview = () => Effect.sync(() => ({ render: digest, preconditions: [file(digest)] }))
    return play("Idempotent", [write], { preview, findExisting })
  }

  it.effect("an Idempotent call whose effect exists returns it instead of running again", () =>
    Effect.gen(function* () {
      const { played, records } = yield* writesThenHangs(() => Effect.succeed(done))
      assert.strictEqual(played(), 1)
      assert.deepStrictEqual(records.order, ["started 1", "ended Succeeded"])
      assert.deepStrictEqual(records.started[0].preconditions, [file("before")])
    })
  )

  it.effect.each([null, () => Effect.succeed(null)])(
    "an Idempotent call in a world that changed otherwise is unknown",
    (findExisting) =>
      Effect.gen(function* () {
        const { played, records } = yield* writesThenHangs(findExisting)
        assert.strictEqual(played(), 1)
        assert.deepStrictEqual(records.order, ["started 1", "ended Unknown"])
      })
  )
})
