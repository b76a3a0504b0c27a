/** Tests of calls that are interrupted: before, while and after their handler runs. */
import { Capability, Progress, Tool } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { requestFor, done, holding, world } from "./Harness.ts"
import { any } from "./Tools.ts"

const call = requestFor("read_file", { path: "a" })

/** Ends a call with this handler. */
const running = (execute: Tool.Any["execute"], parts: Partial<Tool.Any> = {}) =>
  world({ tools: [any({ execute, replay: "Unsafe", ...parts })], context: holding(Capability.WorkspaceRead) })

describe("An interrupted call", () => {
  it.effect("interrupting the dispatch stops the handler, and the outcome of an Unsafe one is unknown", () =>
    Effect.gen(function* () {
      const entered = yield* Deferred.make<void>()
      let stopped = false
      const { dispatch, records } = running(() =>
        Effect.andThen(Deferred.succeed(entered, undefined), Effect.never).pipe(
          Effect.onInterrupt(() =>
            Effect.sync(() => {
              stopped = true
            })
          )
        )
      )
      const fiber = yield* Effect.forkChild(dispatch(call))
      yield* Deferred.await(entered)
      yield* Fiber.interrupt(fiber)
      assert.isTrue(stopped)
      assert.deepStrictEqual(records.order, ["started 1", "ended Unknown"])
      assert.isNotNull(records.ended[0].ended.receipt)
    })
  )

  it.effect("an Unsafe call that is interrupted reports its progress so far, without secrets", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const tool = any({
        replay: "Unsafe",
        execute: () =>
          Effect.gen(function* () {
            const { keep } = yield* Progress.Progress
            if (keep !== undefined) yield* keep(() => "two of three, by canary-secret-1")
            yield* Deferred.succeed(begun, undefined)
            return yield* Effect.never
          })
      })
      const { dispatch, records } = world({ tools: [tool], secrets: ["canary-secret-1"] })
      const fiber = yield* Effect.forkChild(dispatch(requestFor("read_file", { path: "a" })))
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(fiber)
      const [{ ended }] = records.ended
      const { outcome } = ended
      assert.match(outcome._tag === "Unknown" ? outcome.message : "", /; two of three, by \[redacted\]$/u)
    })
  )

  it.effect("a call can be interrupted before it runs, and leaves no trace", () =>
    Effect.gen(function* () {
      const entered = yield* Deferred.make<void>()
      const classify = () => Effect.andThen(Deferred.succeed(entered, undefined), Effect.never)
      const { dispatch, records } = running(() => Effect.die("it ran"), { classify })
      const fiber = yield* Effect.forkChild(dispatch(call))
      yield* Deferred.await(entered)
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(records.order, [])
    })
  )

  it.effect("an interruption finds the effect of an Idempotent call if that can be checked", () =>
    Effect.gen(function* () {
      const entered = yield* Deferred.make<void>()
      let isThere = false
      const { dispatch, records } = running(
        () => {
          isThere = true
          return Effect.andThen(Deferred.succeed(entered, undefined), Effect.never)
        },
        { replay: "Idempotent", findExisting: () => Effect.sync(() => (isThere ? done : null)) }
      )
      const fiber = yield* Effect.forkChild(dispatch(call))
      yield* Deferred.await(entered)
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(records.order, ["started 1", "ended Succeeded"])
      assert.isNotNull(records.ended[0].ended.receipt)
    })
  )

  it.effect("an interruption before the handler has started ends the call as not run", () =>
    Effect.gen(function* () {
      const entered = yield* Deferred.make<void>()
      let runs = 0
      const slow = () => Effect.andThen(Deferred.succeed(entered, undefined), Effect.never)
      const { dispatch, records } = world({
        tools: [
          any({ name: "slow", replay: "Safe", execute: slow }),
          any({ name: "send", replay: "Unsafe", execute: () => Effect.sync(() => (runs++, done)) })
        ],
        permits: 1
      })
      const first = yield* Effect.forkChild(dispatch(requestFor("slow", { path: "a" })))
      yield* Deferred.await(entered)
      const second = yield* Effect.forkChild(dispatch(requestFor("send", { path: "a" })), { startImmediately: true })
      yield* Effect.yieldNow
      yield* Fiber.interrupt(second)
      yield* Fiber.interrupt(first)
      assert.deepStrictEqual([runs, records.order], [0, ["started 1", "ended NotRun"]])
    })
  )

  it.effect("a Safe call that has not begun or is running stays open: its session decides whether it runs again", () =>
    Effect.gen(function* () {
      const entered = yield* Deferred.make<void>()
      const slow = () => Effect.andThen(Deferred.succeed(entered, undefined), Effect.never)
      const { dispatch, records } = world({
        tools: [any({ name: "slow", replay: "Safe", execute: slow }), any({ name: "look", replay: "Safe" })],
        permits: 1
      })
      const running = yield* Effect.forkChild(dispatch(requestFor("slow", { path: "a" })))
      yield* Deferred.await(entered)
      const waiting = yield* Effect.forkChild(dispatch(requestFor("look", { path: "a" })), { startImmediately: true })
      yield* Effect.yieldNow
      yield* Fiber.interrupt(waiting)
      yield* Fiber.interrupt(running)
      assert.deepStrictEqual(records.order, [])
    })
  )
})
