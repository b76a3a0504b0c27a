/** The return values of packs' services: handles end with the call, and data is passed unchanged. */
import { Capability, Tool, ToolContext } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import * as CallGate from "../src/CallGate.ts"
import { Counter, Failing, Refused, type Service, serviceOf, Transaction } from "./HandleSamples.ts"
import { refusedBy, settle, takes, thrownBy } from "./HandleTakes.ts"
import { requestFor, world } from "./Harness.ts"
import { any } from "./Tools.ts"

const open = (counter = new Counter()) => {
  const gate = CallGate.make()
  return { counter, gate, service: gate.guard(serviceOf(counter), "Handles") as Service }
}

describe("handles that a service returns", () => {
  it.effect.each(takes)("%s acts while the call runs, and not after it", ([, take]) =>
    Effect.gen(function* () {
      const { counter, gate, service } = open()
      const taken = (yield* settle(take(service))) as Transaction | (() => unknown)
      const use = () => (typeof taken === "function" ? taken() : taken.run())
      yield* settle(use())
      const acted = counter.count
      assert.isAtLeast(acted, 1)
      gate.end()
      const late = yield* Effect.exit(Effect.flatMap(Effect.try(use), settle))
      assert.strictEqual(counter.count, acted)
      if (!String(take).includes("file()")) assert.isTrue(Exit.isFailure(late))
    })
  )
})

describe("data that a service returns", () => {
  const values: ReadonlyArray<readonly [what: string, value: unknown]> = [
    ["rows", [{ id: 1, tags: ["a"], at: new Date(0), deep: { none: null } }]],
    ["a Map", new Map([["a", new Set([1])]])],
    ["bytes", Buffer.from("a")],
    ["a typed array", new Float64Array(2)],
    ["an error", Object.assign(new Error("no", { cause: new Error("why") }), { code: 3 })],
    ["an error of Effect", new (class Missing extends Data.TaggedError("Missing")<{ id: number }> {})({ id: 1 })],
    [
      "an error of a class with a getter",
      new (class Late extends Error {
        override get message(): string {
          return "late"
        }
      })()
    ],
    ["a Response", new Response("body")],
    ["a stream to read", new ReadableStream()],
    ["a URL", new URL("https://acme.test")],
    ["a regular expression", /a/u],
    ["a number in a list", [1n, 2, Symbol.iterator, undefined]],
    ["an Option", Option.some({ id: 1 })],
    ["a result", Exit.succeed({ id: 1 })],
    ["no prototype", Object.assign(Object.create(null), { id: 1 })],
    ["itself in itself", ((one: Record<string, unknown>) => ((one["self"] = one), one))({})]
  ]

  it.effect.each(values)("%s is passed unchanged", ([, value]) =>
    Effect.gen(function* () {
      const gate = CallGate.make()
      const service = gate.guard(
        { value, now: () => value, later: () => Promise.resolve(value), effect: () => Effect.succeed(value) },
        "Handles"
      ) as { value: unknown; now: () => unknown; later: () => Promise<unknown>; effect: () => Effect.Effect<unknown> }
      assert.strictEqual(service.value, value)
      assert.strictEqual(service.now(), value)
      assert.strictEqual(yield* Effect.promise(service.later), value)
      assert.strictEqual(yield* service.effect(), value)
    })
  )

  it.effect("handles keep their class and their fields, and their identity when they are passed back", () =>
    Effect.gen(function* () {
      const { service } = open()
      const one = service.begin()
      assert.instanceOf(one, Transaction)
      assert.deepStrictEqual(one.rows, [1, 2])
      assert.strictEqual(one, service.begin())
      assert.isTrue(one.owns(service.begin()))
      assert.isTrue(service.owns(one, [one, service.begin()]))
      assert.isTrue(service.own({ deep: [{ one }] }))
      assert.strictEqual(service.statement().text, "select 1")
      assert.strictEqual(yield* Effect.map(service.statement(), (count) => count), 1)
      const kept = { mine: true }
      assert.strictEqual(
        service.within(() => kept),
        kept
      )
    })
  )

  it.effect("errors keep their class and their words, after the end too", () =>
    Effect.gen(function* () {
      const { gate, service } = open()
      const tagged = yield* Effect.flip(service.fail())
      const plain = refusedBy(service.refuse)
      assert.isAtLeast(plain.again(), 1)
      gate.end()
      assert.instanceOf(plain, Refused)
      assert.instanceOf(tagged, Failing)
      assert.strictEqual(tagged._tag, "Failing")
      assert.include(String(plain), "says a getter")
      assert.isString(plain.stack)
      assert.throws(() => plain.again(), "the tool's call has ended")
    })
  )

  it("the handler gets back its own error, and its objects keep their other values", () => {
    const { service } = open()
    const mine = Object.assign(new Error("mine"), { act: () => 1 })
    assert.strictEqual(
      thrownBy(() =>
        service.within(() => {
          throw mine
        })
      ),
      mine
    )
    const target: Record<string, unknown> = { mine }
    service.put(target)
    assert.strictEqual(target["mine"], mine)
  })

  it.effect("streams of the platform and of Node are taken by it", () =>
    Effect.gen(function* () {
      const { counter, service } = open()
      yield* Effect.promise(() => new Response("a").body?.pipeTo(service.sink()) ?? Promise.reject(new Error("none")))
      yield* Effect.promise(() => pipeline(Readable.from(["a"]), service.file()))
      assert.strictEqual(counter.count, 2)
    })
  )
})

class Ledger extends Capability.make("acme/Ledger", { floor: "ReadOnly", reach: "Confined" })<
  Ledger,
  { readonly price: () => Price }
>() {}

/** A value with methods: it is read when its call has ended. */
class Price {
  readonly #cents: number
  constructor(cents: number) {
    this.#cents = cents
  }
  get cents(): number {
    return this.#cents
  }
  text(): string {
    return `${this.#cents} ct`
  }
}

describe("the result of a call", () => {
  it.effect("may hold values with methods, which the dispatcher reads; a handler that keeps them cannot", () =>
    Effect.gen(function* () {
      const kept: Array<Price> = []
      const output = Schema.Struct({ price: Schema.Struct({ cents: Schema.Number }) })
      const tool = any({
        capabilities: [Ledger],
        output,
        forModel: (({ price }: { readonly price: Price }) => price.text()) as never,
        execute: (() =>
          Effect.gen(function* () {
            const price = (yield* Ledger).price()
            kept.push(price)
            return Tool.result({ output: { price }, display: price.text() })
          })) as never
      })
      const context = ToolContext.provideAll(ToolContext.empty("Main"), [
        Capability.provide(Ledger, { service: { price: () => new Price(3) } })
      ])
      const { outcome } = yield* world({ tools: [tool], context }).end(requestFor("read_file", { path: "a" }))
      assert.deepInclude(outcome, { _tag: "Succeeded", output: '{"price":{"cents":3}}', text: "3 ct" })
      assert.throws(() => kept[0].text(), "the tool's call has ended")
      assert.throws(() => kept[0].cents, "the tool's call has ended")
    })
  )
})
