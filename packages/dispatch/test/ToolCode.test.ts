/** Tests of the context of a tool's code, and of its failures. */
import type { Entry } from "@bough/protocol"
import { ToolError } from "@bough/protocol"
import { Capability, Invocation, Progress, Tool, ToolContext, type WorkspaceRead } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { TestClock } from "effect/testing"
import { Gate, Ledger } from "../src/index.ts"
import { requestFor, done, fake, holding, sessionId, world } from "./Harness.ts"
import { any } from "./Tools.ts"

const call = requestFor("read_file", { path: "a" })

class Foreign extends Schema.TaggedError<Foreign>()("Foreign", {}) {
  override readonly message = "mine"
}

class Secrets extends Context.Service<Secrets, { readonly all: ReadonlyArray<string> }>()("app/Secrets") {}

const errorOf = (outcome: Entry.Outcome): ToolError.ToolErrorData =>
  outcome._tag === "Failed" ? outcome.error : assert.fail(outcome._tag)

/** Ends a call with this handler. */
const running = (execute: Tool.Any["execute"], parts: Partial<Tool.Any> = {}) =>
  world({ tools: [any({ execute, replay: "Unsafe", ...parts })], context: holding(Capability.WorkspaceRead) })

describe("ToolCode", () => {
  it.effect("a handler's context is its declared services and the common ones", () =>
    Effect.gen(function* () {
      let keys: ReadonlyArray<string> = []
      const found: Array<string> = []
      const { end } = running(
        () =>
          Effect.gen(function* () {
            const context = yield* Effect.context()
            keys = [...context.mapUnsafe.keys()]
            for (const key of [
              Secrets,
              Gate.Gate,
              Ledger.Ledger,
              Capability.WorkspaceWrite,
              Capability.RepositoryRead
            ]) {
              if ((yield* Effect.serviceOption(key as typeof Secrets))._tag === "Some") found.push(key.key)
            }
            return done
          }),
        { capabilities: [Capability.WorkspaceRead] }
      )
      yield* end(call).pipe(Effect.provideService(Secrets, { all: ["hunter2"] }))
      assert.deepStrictEqual(keys.toSorted(), [
        "@bough/tool/Invocation",
        "@bough/tool/Progress",
        "@bough/tool/WorkspaceRead",
        "effect/Clock",
        "effect/Scheduler",
        "effect/Scope"
      ])
      assert.deepStrictEqual(found, [])
    })
  )

  it.effect("a fork of a handler has the same context as the handler", () =>
    Effect.gen(function* () {
      let found: unknown = null
      const { end } = running(() =>
        Effect.gen(function* () {
          found = yield* Fiber.join(yield* Effect.forkChild(Effect.serviceOption(Secrets)))
          return done
        })
      )
      yield* end(call).pipe(Effect.provideService(Secrets, { all: ["hunter2"] }))
      assert.propertyVal(found, "_tag", "None")
    })
  )

  it.effect("an invocation names the caller, and its key is the same for every attempt", () =>
    Effect.gen(function* () {
      const seen: Array<Invocation.Invocation["Service"]> = []
      const { end } = running(() =>
        Effect.gen(function* () {
          seen.push(yield* Invocation.Invocation)
          return done
        })
      )
      yield* end(call)
      yield* end(call)
      yield* end({ ...call, toolCallId: (call.toolCallId + "2") as typeof call.toolCallId })
      assert.strictEqual(seen[0].sessionId, sessionId)
      assert.strictEqual(seen[0].step, 2)
      assert.strictEqual(seen[0].callKey, seen[1].callKey)
      assert.notStrictEqual(seen[0].callKey, seen[2].callKey)
    })
  )

  it.effect("a capability is created for the call that uses it", () =>
    Effect.gen(function* () {
      const made: Array<string> = []
      const context = holding()
      const { end } = world({
        tools: [any({ capabilities: [Capability.WorkspaceRead] })],
        context: {
          ...context,
          capabilities: new Map([
            [
              Capability.WorkspaceRead.key,
              {
                make: ({ toolCallId }: Invocation.Invocation["Service"]) => {
                  made.push(toolCallId)
                  return fake({})
                },
                reach: "Confined" as const,
                preconditions: []
              }
            ]
          ])
        }
      })
      yield* end(call)
      assert.deepStrictEqual(made, ["call-1"])
    })
  )

  it.effect("progress is published as events, without secrets", () =>
    Effect.gen(function* () {
      const { end, records } = world({
        tools: [
          any({
            execute: () =>
              Effect.gen(function* () {
                const progress = yield* Progress.Progress
                yield* progress.report("signing in with hunter2-token")
                yield* progress.report("sending", 62.5)
                return done
              })
          })
        ],
        secrets: ["hunter2-token"]
      })
      yield* end(call)
      const messages = records.events.flatMap((event) =>
        event._tag === "ToolProgressed" ? [[event.message, event.percent]] : []
      )
      assert.deepStrictEqual(messages, [
        ["signing in with [redacted]", undefined],
        ["sending", 62.5]
      ])
    })
  )

  it.effect("a timeout interrupts the handler, waits for its finalizers and reports the duration", () =>
    Effect.gen(function* () {
      const order: Array<string> = []
      const { end } = running(
        () =>
          Effect.never.pipe(
            Effect.onInterrupt(() => Effect.sync(() => order.push("interrupted"))),
            Effect.ensuring(
              Effect.delay(
                Effect.sync(() => order.push("released")),
                500
              )
            )
          ),
        { timeoutMillis: () => 2_000 }
      )
      const fiber = yield* Effect.forkChild(end(call))
      yield* TestClock.adjust(1_999)
      assert.deepStrictEqual(order, [])
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(order, ["interrupted"])
      yield* TestClock.adjust(500)
      assert.deepStrictEqual(order, ["interrupted", "released"])
      const { outcome, receipt } = yield* Fiber.join(fiber)
      const message = outcome._tag === "Unknown" ? outcome.message : ""
      assert.include(message, "read_file ran out of time after 2.5 s, and it may have taken effect")
      assert.strictEqual(receipt?.elapsedMillis, 2_500)
    })
  )

  it.effect("resources in a handler's scope are released when it ends, in any way", () =>
    Effect.gen(function* () {
      const released: Array<string> = []
      type Handled = Effect.Effect<typeof done, ToolError.ToolError>
      const withResource =
        (name: string, rest: Handled) => (): Effect.Effect<typeof done, ToolError.ToolError, Scope.Scope> =>
          Effect.andThen(
            Effect.acquireRelease(Effect.void, () => Effect.sync(() => released.push(name))),
            rest
          )
      yield* running(withResource("success", Effect.succeed(done))).end(call)
      yield* running(withResource("failure", Effect.fail(new ToolError.ExecutionError({ message: "x" })))).end(call)
      yield* running(withResource("defect", Effect.die("x"))).end(call)
      assert.deepStrictEqual(released, ["success", "failure", "defect"])
    })
  )

  it.effect.each([
    [
      "dies",
      () => Effect.die(new TypeError("x is undefined")),
      "a bug in the tool read_file: TypeError: x is undefined"
    ],
    ["throws", () => assert.fail("thrown"), "a bug in the tool read_file: AssertionError: thrown"],
    ["interrupts itself", () => Effect.interrupt, "a bug in the tool read_file: it interrupted itself"],
    [
      "fails with an error of its own",
      () => Effect.fail(new Foreign()),
      "a bug in the tool read_file: it failed with something other than a ToolError: Foreign: mine"
    ],
    [
      "fails with what only looks like a ToolError",
      () => Effect.fail({ _tag: "ExecutionError", message: "fake" }),
      "a bug in the tool read_file: it failed with something other than a ToolError"
    ]
  ] as const)("a handler that %s is reported as the tool's bug", ([, execute, message]) =>
    Effect.gen(function* () {
      const { outcome, receipt } = yield* running(execute as never, { replay: "Safe" }).end(call)
      const error = errorOf(outcome)
      assert.include(error._tag === "ExecutionError" ? error.message : "", message)
      assert.isNotNull(receipt)
      // An Unsafe tool may have had its effect before it died.
      const unsafe = yield* running(execute as never, { replay: "Unsafe" }).end(call)
      assert.include(unsafe.outcome._tag === "Unknown" ? unsafe.outcome.message : "", message)
      assert.isNotNull(unsafe.receipt)
    })
  )

  it.effect("a thrown value without text is reported all the same", () =>
    Effect.gen(function* () {
      const hostile = {
        toString: () => {
          throw new Error("no text")
        }
      }
      const thrown = [hostile, Object.create(null), new Proxy(new Error(), { get: () => assert.fail("touched") })]
      for (const value of thrown) {
        for (const execute of [() => Effect.die(value), () => Effect.fail(value)]) {
          const { outcome } = yield* running(execute as never, { replay: "Safe" }).end(call)
          const error = errorOf(outcome)
          assert.match(error._tag === "ExecutionError" ? error.message : "", /cannot be (shown|read)/u)
        }
      }
    })
  )

  it.effect.each([
    ["nothing to close", false],
    ["a finalizer, which may still use them", true]
  ] as const)(
    "references and fibers that a handler leaves behind do nothing when its call has ended, with %s",
    ([, closes]) =>
      Effect.gen(function* () {
        const acted: Array<string> = []
        const never = Latch.makeUnsafe(false)
        type Reading = WorkspaceRead.WorkspaceRead["Service"]
        const service = {
          digest: (path: string) => Effect.sync(() => (acted.push(path), null)),
          info: () =>
            Effect.andThen(
              never.await,
              Effect.sync(() => acted.push("late"))
            )
        }
        const kept: Array<Reading> = []
        const left: Array<Fiber.Fiber<unknown, unknown>> = []
        const execute = () =>
          Effect.gen(function* () {
            const workspace = yield* Capability.WorkspaceRead
            yield* workspace.digest("first")
            if (closes) yield* Effect.addFinalizer(() => Effect.orDie(workspace.digest("closing")))
            kept.push(workspace)
            left.push(yield* Effect.forkDetach(workspace.info("a"), { startImmediately: true }))
            left.push(yield* Effect.forkDetach(Effect.andThen(never.await, workspace.digest("second"))))
            return done
          })
        const context = ToolContext.provide(
          ToolContext.empty("Main"),
          Capability.WorkspaceRead,
          ToolContext.constant(service as never)
        )
        const tool = any({ capabilities: [Capability.WorkspaceRead], execute: execute as never })
        assert.strictEqual((yield* world({ tools: [tool], context }).end(call)).outcome._tag, "Succeeded")
        yield* never.open
        for (const fiber of left) assert.strictEqual((yield* Fiber.await(fiber))._tag, "Failure")
        const later = yield* Effect.flip(kept[0].digest("third"))
        assert.include(later.message, "the tool's call has ended")
        assert.deepStrictEqual(acted, closes ? ["first", "closing"] : ["first"])
      })
  )

  it.effect("a permit is held for the handler alone", () =>
    Effect.gen(function* () {
      const first = yield* Deferred.make<void>()
      const order: Array<string> = []
      const slow = any({
        name: "slow",
        execute: () =>
          Effect.gen(function* () {
            order.push("slow begins")
            yield* Deferred.await(first)
            order.push("slow ends")
            return done
          })
      })
      const quick = any({ name: "quick", execute: () => Effect.sync(() => (order.push("quick"), done)) })
      const { end } = world({ tools: [slow, quick], permits: 1 })
      const a = yield* Effect.forkChild(end(requestFor("slow", { path: "a" })), { startImmediately: true })
      const b = yield* Effect.forkChild(end(requestFor("quick", { path: "a" })), { startImmediately: true })
      yield* Effect.yieldNow
      // The call is refused at once: a call that cannot run needs no permit.
      yield* end(requestFor("quick", { nope: 1 }))
      assert.deepStrictEqual(order, ["slow begins"])
      yield* Deferred.succeed(first, undefined)
      yield* Effect.all([Fiber.join(a), Fiber.join(b)])
      assert.deepStrictEqual(order, ["slow begins", "slow ends", "quick"])
    })
  )
})
