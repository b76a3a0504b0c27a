/** The return values of packs' services: handles end with the call, and data is passed unchanged. */
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { pipeline } from "node:stream/promises"
import { Readable, Writable } from "node:stream"
import { Capability, Tool, ToolContext } from "@bough/tool"
import * as Schema from "effect/Schema"
import * as CallGate from "../src/CallGate.ts"
import { asked, world } from "./Harness.ts"
import { any } from "./Tools.ts"

/** Counts the effects of a handle. */
class Counter {
  count = 0
  act = (): number => ++this.count
}

/** A connection whose fields only its own methods may touch. */
class Transaction {
  readonly #counter: Counter
  readonly #rows = [1, 2]
  constructor(counter: Counter) {
    this.#counter = counter
  }
  run(): number {
    return this.#counter.act()
  }
  where(): this {
    return this
  }
  later(): Promise<number> {
    return Promise.resolve(this.#counter.act())
  }
  owns(other: Transaction): boolean {
    return other.#counter === this.#counter
  }
  get rows(): ReadonlyArray<number> {
    return this.#rows
  }
  get [Symbol.toStringTag](): string {
    return "Transaction"
  }
}

/** Holds a transaction in nothing but a getter. */
class Lease {
  readonly #transaction: Transaction
  constructor(transaction: Transaction) {
    this.#transaction = transaction
  }
  get transaction(): Transaction {
    return this.#transaction
  }
}

class Database extends Context.Service<Database, Transaction>()("acme/Database") {}

const statement = (counter: Counter) =>
  Object.assign(Effect.sync(counter.act), { again: () => Effect.sync(counter.act), text: "select 1" })

const serviceOf = (counter: Counter) => {
  const transaction = new Transaction(counter)
  return {
    begin: () => transaction,
    beginLater: () => Promise.resolve(transaction),
    beginEffect: () => Effect.succeed(transaction),
    nested: () => ({ rows: [{ id: 1, in: { transaction } }] }),
    listed: () => [Promise.resolve(transaction)],
    mapped: () => new Map([["a", transaction]]),
    lease: () => new Lease(transaction),
    frozen: () => Object.freeze({ run: counter.act }),
    bare: () => counter.act,
    made: () =>
      class extends Transaction {
        constructor() {
          super(counter)
        }
      },
    *iterate() {
      yield transaction
      yield transaction
    },
    async *iterateLater() {
      yield transaction
      counter.act()
      yield transaction
    },
    within: <A>(body: (transaction: Transaction) => A): A => body(transaction),
    subscribe: ({ next }: { readonly next: (transaction: Transaction) => void }) => next(transaction),
    // oxlint-disable-next-line unicorn/no-thenable -- builders of queries are awaited
    builder: () => ({ where: () => ({ then: (done: (value: number) => void) => done(counter.act()) }) }),
    stream: () => Stream.fromEffectRepeat(Effect.sync(counter.act)),
    streamed: Stream.make(transaction),
    layer: () => Layer.succeed(Database, transaction),
    some: () => Effect.succeed(Option.some(transaction)),
    statement: () => statement(counter),
    owns: (one: Transaction, more: ReadonlyArray<Transaction>) => more.every((other) => one.owns(other)),
    sink: () => new WritableStream({ write: () => void counter.act() }),
    file: () => new Writable({ write: (_chunk, _encoding, done) => (counter.act(), done()) }),
    controller: () => new AbortController()
  }
}

type Service = ReturnType<typeof serviceOf>

/** Takes a handle while the call runs: a transaction, or a function that uses one. */
type Take = (service: Service) => unknown

const first = <A>(values: Iterable<A>): A => {
  for (const value of values) return value
  throw new Error("there is no value")
}

const takes: ReadonlyArray<readonly [what: string, take: Take]> = [
  ["an object with methods", (service) => service.begin()],
  [
    "a method that returns a promise",
    (service) =>
      (
        (kept) => () =>
          kept.later()
      )(service.begin())
  ],
  ["itself, chained", (service) => service.begin().where().where()],
  ["a promise of one", (service) => service.beginLater()],
  ["an Effect of one", (service) => service.beginEffect()],
  ["one in plain data", (service) => service.nested().rows[0].in.transaction],
  ["a promise in a list", (service) => service.listed()[0]],
  ["one in a Map", (service) => service.mapped().get("a")],
  ["one in an entry of a Map", (service) => first(service.mapped())[1]],
  ["one behind a getter", (service) => service.lease().transaction],
  ["a frozen one", (service) => service.frozen()],
  ["a function", (service) => service.bare()],
  [
    "an instance of a class that was kept",
    (service) =>
      (
        (Made) => () =>
          new Made().run()
      )(service.made())
  ],
  ["an item of an iterator", (service) => first(service.iterate())],
  ["an item of an async iterator", async (service) => (await service.iterateLater().next()).value],
  [
    "the rest of an async iterator",
    async (service) => {
      const iterator = service.iterateLater()
      await iterator.next()
      return () => iterator.next()
    }
  ],
  ["the argument of a callback", (service) => service.within((one) => () => one.run())],
  ["the argument of an async callback", (service) => service.within(async (one) => () => one.run())],
  [
    "the argument of a subscriber",
    (service) => {
      let kept: Transaction | null = null
      service.subscribe({ next: (one) => void (kept = one) })
      return kept
    }
  ],
  [
    "a builder that is awaited",
    (service) => {
      const query = service.builder().where()
      return async () => await (query as unknown as Promise<number>)
    }
  ],
  ["a Stream", (service) => () => Stream.runCollect(Stream.take(service.stream(), 1))],
  [
    "a Stream that was kept",
    (service) =>
      (
        (kept) => () =>
          Stream.runHead(kept)
      )(service.stream())
  ],
  ["an item of a Stream", (service) => Effect.map(Stream.runCollect(service.streamed), ([one]) => one)],
  [
    "a service of a Layer",
    (service) =>
      Effect.provide(
        Effect.gen(function* () {
          const one = yield* Database
          return () => one.run()
        }),
        service.layer()
      )
  ],
  ["one in an Option", (service) => Effect.map(service.some(), (one) => Option.getOrThrow(one))],
  [
    "an Effect with methods",
    (service) =>
      (
        (kept) => () =>
          kept.again()
      )(service.statement())
  ],
  [
    "an Effect with methods, run",
    (service) =>
      (
        (kept) => () =>
          kept
      )(service.statement())
  ],
  [
    "a stream of the platform",
    (service) =>
      (
        (kept) => () =>
          kept.write("a")
      )(service.sink().getWriter())
  ],
  [
    "a stream of Node",
    (service) =>
      (
        (kept) => () =>
          void kept.write("a")
      )(service.file())
  ]
]

/** Awaits a promise, or runs an Effect. */
const settle = (made: unknown): Effect.Effect<unknown, unknown> =>
  Effect.isEffect(made) ? (made as Effect.Effect<unknown, unknown>) : Effect.tryPromise(() => Promise.resolve(made))

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
    ["an error", Object.assign(new Error("no"), { code: 3 })],
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
      assert.strictEqual(service.statement().text, "select 1")
      assert.strictEqual(yield* Effect.map(service.statement(), (count) => count), 1)
      const kept = { mine: true }
      assert.strictEqual(
        service.within(() => kept),
        kept
      )
    })
  )

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
      const { outcome } = yield* world({ tools: [tool], context }).end(asked("read_file", { path: "a" }))
      assert.deepInclude(outcome, { _tag: "Succeeded", output: '{"price":{"cents":3}}', text: "3 ct" })
      assert.throws(() => kept[0].text(), "the tool's call has ended")
      assert.throws(() => kept[0].cents, "the tool's call has ended")
    })
  )
})
