/** A service that returns handles of every shape, and ways of a handler to take one of them. */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { Writable } from "node:stream"

/** Counts the effects of a handle. */
export class Counter {
  count = 0
  act = (): number => ++this.count
}

/** A connection whose fields only its own methods may touch. */
export class Transaction {
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

/** An error that holds a transaction, and can try again. */
export class Refused extends Error {
  readonly transaction: Transaction
  constructor(transaction: Transaction) {
    super()
    this.transaction = transaction
  }
  override get message(): string {
    return "refused, says a getter"
  }
  again(): number {
    return this.transaction.run()
  }
}

export class Failing extends Data.TaggedError("Failing")<{ readonly transaction: Transaction }> {}

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

export const serviceOf = (counter: Counter) => {
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
    controller: () => new AbortController(),
    refuse: () => {
      throw new Refused(transaction)
    },
    refuseLater: () => Promise.reject(new Refused(transaction)),
    refuseAll: () => {
      throw new AggregateError([new Error("outer", { cause: { one: transaction } })])
    },
    refusal: () => new Refused(transaction),
    fail: () => Effect.fail(new Failing({ transaction })),
    defect: () => Effect.die(Object.assign(new Error("no"), { act: counter.act })),
    exit: () => Effect.exit(Effect.fail(new Failing({ transaction }))),
    call: (done: (error: Error) => void) => done(new Refused(transaction)),
    get unready(): Transaction {
      throw new Refused(transaction)
    },
    put: (target: Record<string, unknown>) => void (target["transaction"] = transaction),
    fillDeep: (target: { readonly in: Array<unknown> }) => void target.in.push({ transaction }),
    fillMap: (target: Map<string, unknown>) => void target.set("a", transaction),
    fillSet: (target: Set<unknown>) => void target.add(transaction),
    fillLater: async (target: Record<string, unknown>) => {
      await Promise.resolve()
      target["transaction"] = transaction
    },
    fillEffect: (target: Record<string, unknown>) => Effect.sync(() => void (target["transaction"] = transaction)),
    fillAndThrow: (target: Record<string, unknown>) => {
      target["transaction"] = transaction
      throw new Error("no")
    }
  }
}

export type Service = ReturnType<typeof serviceOf>

/** Takes a handle while the call runs: a transaction, or a function that uses one. */
type Take = (service: Service) => unknown

const first = <A>(values: Iterable<A>): A => {
  for (const value of values) return value
  throw new Error("there is no value")
}

export const thrownBy = (use: () => unknown): unknown => {
  try {
    use()
  } catch (thrown) {
    return thrown
  }
  throw new Error("nothing was thrown")
}

export const refusedBy = (use: () => unknown): Refused => thrownBy(use) as Refused

const filled = (fill: (target: Record<string, unknown>) => unknown): Effect.Effect<unknown, unknown> => {
  const target = {}
  return Effect.map(settle(fill(target)), () => (target as Record<string, unknown>)["transaction"])
}

export const takes: ReadonlyArray<readonly [what: string, take: Take]> = [
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
  ["a field of an error", (service) => refusedBy(service.refuse).transaction],
  [
    "a method of an error",
    (service) =>
      (
        (error) => () =>
          error.again()
      )(refusedBy(service.refuse))
  ],
  [
    "the cause of an error in an error",
    (service) =>
      (
        ((thrownBy(service.refuseAll) as AggregateError).errors as ReadonlyArray<Error>)[0].cause as {
          one: Transaction
        }
      ).one
  ],
  ["a rejected promise", (service) => service.refuseLater().catch((error: unknown) => (error as Refused).transaction)],
  ["an error that it returned", (service) => service.refusal().transaction],
  [
    "the error of an Effect",
    (service) => Effect.catchTag(service.fail(), "Failing", ({ transaction }) => Effect.succeed(transaction))
  ],
  [
    "the defect of an Effect",
    (service) => Effect.catchDefect(service.defect(), (error) => Effect.succeed((error as { act: () => number }).act))
  ],
  [
    "the error of an exit",
    (service) => Effect.map(service.exit(), (exit) => Option.getOrThrow(Exit.findErrorOption(exit)).transaction)
  ],
  [
    "the error that a callback gets",
    (service) => {
      let kept: unknown = null
      service.call((error) => (kept = (error as Refused).transaction))
      return kept
    }
  ],
  ["the error of a getter", (service) => refusedBy(() => service.unready).transaction],
  ["what it put into an object", (service) => filled((target) => service.put(target))],
  [
    "what it put into a list below",
    (service) => {
      const list: Array<{ readonly transaction: Transaction }> = []
      service.fillDeep({ in: list })
      return list[0].transaction
    }
  ],
  [
    "what it put into a Map",
    (service) => {
      const map = new Map<string, unknown>()
      service.fillMap(map)
      return map.get("a")
    }
  ],
  [
    "what it put into a Set",
    (service) => {
      const set = new Set<unknown>()
      service.fillSet(set)
      return first(set)
    }
  ],
  [
    "what it put into an instance of a class",
    (service) => {
      const holder = new (class Holder {
        transaction: unknown = null
      })()
      service.put(holder as never)
      return holder.transaction
    }
  ],
  ["what it put into an object later", (service) => filled((target) => service.fillLater(target))],
  ["what an Effect put into an object", (service) => filled((target) => service.fillEffect(target))],
  [
    "what it put into an object before it threw",
    (service) => filled((target) => void thrownBy(() => service.fillAndThrow(target)))
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
export const settle = (made: unknown): Effect.Effect<unknown, unknown> =>
  Effect.isEffect(made) ? (made as Effect.Effect<unknown, unknown>) : Effect.tryPromise(() => Promise.resolve(made))
