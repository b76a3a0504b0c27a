/** Services of packs behind the gate of a call: every kind of member works while it runs, and none after its end. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as CallGate from "../src/CallGate.ts"

class Rows {
  #count = 0
  readonly data = new Map([["a", 1]])
  readonly bytes = new Uint8Array([1])
  readonly next = Effect.sync(() => ++this.#count)
  readonly users = { add: () => Effect.sync(() => ++this.#count), deep: { add: () => ++this.#count } }
  readonly later = Object.assign(() => Promise.resolve(++this.#count), {
    again: () => Effect.sync(() => ++this.#count)
  })
  get count(): number {
    return this.#count
  }
  set count(value: number) {
    this.#count = value
  }
  add(): Effect.Effect<number> {
    return Effect.sync(() => ++this.#count)
  }
}

type Use = (rows: Rows) => unknown

const uses: ReadonlyArray<readonly [what: string, use: Use]> = [
  ["a method", (rows) => rows.add()],
  ["an Effect", (rows) => rows.next],
  ["a method of a part", (rows) => rows.users.add()],
  ["a function of a part of a part", (rows) => rows.users.deep.add()],
  ["a function that returns a promise", (rows) => rows.later()],
  ["a function on a function", (rows) => rows.later.again()],
  ["a setter", (rows) => (rows.count = rows.count + 1)]
]

/** The result of a use, awaited if it is a promise, run if it is an effect. */
const run = (use: () => unknown): Effect.Effect<Exit.Exit<unknown, unknown>> =>
  Effect.exit(
    Effect.flatMap(Effect.try(use), (made): Effect.Effect<unknown, unknown> =>
      Effect.isEffect(made) ? (made as Effect.Effect<unknown, unknown>) : Effect.tryPromise(() => Promise.resolve(made))
    )
  )

const open = <Service>(service: Service) => {
  const gate = CallGate.make()
  return { gate, service: gate.guard(service, "Handles") as Service }
}

describe("CallGate", () => {
  it.effect.each(uses)("%s works while the call runs, and not after it, kept or not", ([, use]) =>
    Effect.gen(function* () {
      const own = new Rows()
      const { gate, service } = open(own)
      assert.isTrue(Exit.isSuccess(yield* run(() => use(service))))
      assert.strictEqual(own.count, 1)
      const kept = [service.add(), service.next, service.users.add()]
      const { later, users } = service
      const add: unknown = Reflect.get(service, "add")
      gate.end()
      const late: ReadonlyArray<() => unknown> = [
        () => use(service),
        () => users.add(),
        () => users.deep.add(),
        () => (add as () => unknown)(),
        () => later(),
        ...kept.map((effect) => () => effect)
      ]
      for (const one of late) yield* run(one)
      assert.strictEqual(own.count, 1)
    })
  )

  it("leaves data unchanged", () => {
    const { service } = open(new Rows())
    assert.strictEqual(service.data.get("a"), 1)
    assert.instanceOf(service.bytes, Uint8Array)
    assert.instanceOf(service, Rows)
  })

  it.effect("accepts services that are frozen, functions or values", () =>
    Effect.gen(function* () {
      const frozen = Object.freeze({
        part: Object.freeze({ go: () => Effect.succeed(1) }),
        go: () => Effect.succeed(2)
      })
      const { gate, service } = open(frozen)
      assert.deepStrictEqual([yield* service.part.go(), yield* service.go()], [1, 2])
      assert.deepStrictEqual(Object.keys(service), ["part", "go"])
      const bare = gate.guard(() => Effect.succeed(3), "Handles") as () => Effect.Effect<number>
      assert.strictEqual(yield* bare(), 3)
      for (const value of [null, undefined, "text", 4]) assert.strictEqual(gate.guard(value, "Handles"), value)
      gate.end()
      for (const go of [service.go, service.part.go, bare]) assert.isTrue(Exit.isFailure(yield* Effect.exit(go())))
    })
  )
})
