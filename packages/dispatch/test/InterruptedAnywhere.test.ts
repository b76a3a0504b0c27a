/**
 * Calls that are interrupted at every point of their work, from the classification to the record of their end: an effect
 * happens once at most, and one that may have happened is recorded.
 */
import { Capability, Tool } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { file, holding, requestFor, done, world } from "./Harness.ts"
import { any } from "./Tools.ts"

const pause = Effect.andThen(Effect.yieldNow, Effect.yieldNow)

interface Played {
  readonly effects: number
  readonly order: ReadonlyArray<string>
  /** False: the call had ended before the interruption. */
  readonly wasInterrupted: boolean
}

/** Interrupts the call once it has yielded so often. */
const play = Effect.fnUntraced(function* (replay: Tool.Replay, tier: "Workspace" | "Elevated", yields: number) {
  let effects = 0
  const tool = any({
    replay,
    tier,
    classify: () => Effect.as(pause, { tier }),
    preview: () => Effect.as(pause, { render: "x", preconditions: [file("1")] }),
    findExisting: replay === "Idempotent" ? () => Effect.as(pause, effects === 0 ? null : done) : null,
    execute: () =>
      Effect.andThen(
        pause,
        Effect.andThen(
          Effect.sync(() => void effects++),
          Effect.as(pause, done)
        )
      )
  })
  const { dispatch, records } = world({
    tools: [tool],
    context: holding(Capability.WorkspaceRead),
    answers: ["approve"]
  })
  const fiber = yield* Effect.forkChild(dispatch(requestFor("read_file", { path: "a" })))
  for (let count = 0; count < yields; count++) yield* Effect.yieldNow
  const wasInterrupted = fiber.pollUnsafe() === undefined
  yield* Fiber.interrupt(fiber)
  const atEnd = effects
  for (let count = 0; count < 10; count++) yield* Effect.yieldNow
  assert.strictEqual(effects, atEnd, "an effect came after the end")
  return { effects, order: records.order, wasInterrupted } satisfies Played
})

describe("A call that is interrupted at any point", () => {
  for (const tier of ["Workspace", "Elevated"] as const) {
    for (const replay of ["Safe", "Idempotent", "Unsafe"] as const) {
      it.effect(`is recorded if it may have acted: ${replay}, ${tier}`, () =>
        Effect.gen(function* () {
          const seen = new Set<string>()
          let yields = 0
          for (let played = yield* play(replay, tier, yields); played.wasInterrupted;) {
            const { effects, order } = played
            const at = `${yields}: ${order.join()}, ${effects} effects`
            const ends = order.filter((one) => one.startsWith("ended"))
            const hasStarted = order.includes("started 1")
            seen.add(ends[0] ?? (hasStarted ? "open" : "unstarted"))
            assert.isAtMost(effects, 1, at)
            assert.isAtMost(ends.length, 1, at)
            if (effects === 1) assert.isTrue(hasStarted, at)
            // A call that may run again stays open: its session decides.
            if (replay === "Unsafe") assert.strictEqual(ends.length, hasStarted ? 1 : 0, at)
            if (effects === 1 && replay !== "Safe") assert.include(["ended Succeeded", "ended Unknown"], ends[0], at)
            if (replay === "Safe") assert.deepStrictEqual(ends, [], at)
            yields += 1
            played = yield* play(replay, tier, yields)
          }
          assert.isAbove(yields, 5)
          assert.include([...seen], "unstarted")
          assert.isAbove(seen.size, 1)
        })
      )
    }
  }
})
