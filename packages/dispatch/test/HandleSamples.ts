/** A service that returns handles of every shape. */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
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

/** Holds a transaction only behind a getter. */
class Lease {
  readonly #transaction: Transaction
  constructor(transaction: Transaction) {
    this.#transaction = transaction
  }
  get transaction(): Transaction {
    return this.#transaction
  }
}

interface Hooks {
  readonly begin: (transaction: Transaction) => void
}

/** A list with a method of its own. */
export class Transactions extends Array<Transaction> {
  runAll(): number {
    return this.map((one) => one.run()).length
  }
}

export class Database extends Context.Service<Database, Transaction>()("acme/Database") {}

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
    fillKey: (target: Map<unknown, unknown>) => void target.set(transaction, "a"),
    fillLast: (target: ReadonlyArray<Record<string, unknown>>) =>
      void Object.assign(target.at(-1) ?? {}, { transaction }),
    Filling: class {
      readonly count = 1
      constructor(target: Record<string, unknown>) {
        target["transaction"] = transaction
      }
    },
    fillResult: (body: () => Record<string, unknown>) => void (body()["transaction"] = transaction),
    fillResultLater: async (body: () => Promise<Record<string, unknown>>) => {
      const target = await body()
      target["transaction"] = transaction
    },
    fillResultEffect: (body: () => Record<string, unknown>) =>
      Effect.sync(() => void (body()["transaction"] = transaction)),
    notify: ({ hooks }: { readonly hooks: Hooks }) => hooks.begin(transaction),
    notifyAll: (hooks: ReadonlyArray<Hooks> | ReadonlyMap<string, Hooks>) =>
      hooks.forEach(({ begin }: Hooks) => begin(transaction)),
    own: ({ deep: [{ one }] }: { readonly deep: ReadonlyArray<{ readonly one: Transaction }> }) =>
      transaction.owns(one),
    transactions: () => Transactions.from([transaction, transaction]) as Transactions,
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
