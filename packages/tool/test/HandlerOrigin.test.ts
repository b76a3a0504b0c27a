/** Tests of errors that async handlers leave behind: the app can tell them from its own. */
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import { uncaught } from "../../../test/uncaught.ts"
import { Capability, Invocation, Progress, Tool } from "../src/index.ts"

const fail = (message: string): never => {
  throw new Error(message)
}

class Db extends Capability.make("acme/Db", { floor: "ReadOnly" })<
  Db,
  { readonly late: () => Effect.Effect<void> }
>() {}

const late = () => Effect.sync(() => void setTimeout(() => fail("in the capability"), 1))

const services = Context.make(Db, { late }).pipe(
  Context.add(Invocation.Invocation, {} as never),
  Context.add(Progress.Progress, { report: () => Effect.void })
)

type Execute = Parameters<
  typeof Tool.fromAsync<"hasty", typeof empty, typeof empty, readonly [typeof Db]>
>[1]["execute"]
const empty = Schema.Struct({})

const run = (execute: Execute) => {
  const tool = Tool.fromAsync("hasty", {
    description: "Leaves work behind",
    version: 1,
    tier: "ReadOnly",
    replay: "Safe",
    capabilities: [Db],
    parameters: empty,
    output: empty,
    execute
  })
  return Effect.setContext(tool.execute({}), services as Context.Context<unknown>)
}

const done = { output: {}, display: "Done" }

describe("HandlerOrigin", () => {
  it.live("names the tool of a timer and of a promise that its handler left behind", () =>
    Effect.gen(function* () {
      const leaving = run(async () => {
        setTimeout(() => fail("in a timer"), 1)
        void Promise.resolve().then(() => fail("in a promise"))
        return done
      })
      assert.deepStrictEqual(yield* uncaught(leaving, 2), ["hasty: in a promise", "hasty: in a timer"])
    })
  )

  it.live("names the tool whose listener throws when its call is interrupted", () =>
    Effect.gen(function* () {
      const interrupted = Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(
          run(
            (_, { signal }) =>
              new Promise((resolve) => {
                signal.addEventListener("abort", () => fail("in a listener"))
                signal.addEventListener("abort", () => resolve(done))
              })
          ),
          { startImmediately: true }
        )
        yield* Fiber.interrupt(fiber)
      })
      assert.deepStrictEqual(yield* uncaught(interrupted, 1), ["hasty: in a listener"])
    })
  )

  it.live("names no tool for a capability that a handler calls", () =>
    Effect.gen(function* () {
      const calling = run(async (_, { Db: db }) => {
        await db.late()
        return done
      })
      assert.deepStrictEqual(yield* uncaught(calling, 1), ["undefined: in the capability"])
    })
  )
})
