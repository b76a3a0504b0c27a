/** The ways of a handler to take a handle from the service of `HandleSamples`. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { Database, type Refused, type Service, type Transaction, type Transactions } from "./HandleSamples.ts"

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

const begun = (use: (begin: (transaction: Transaction) => void) => void): unknown => {
  let kept: unknown = null
  use((transaction) => void (kept = transaction))
  return kept
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
  [
    "what it put into the last of thousands of objects",
    (service) => {
      const targets = Array.from({ length: 3000 }, (_, id): Record<string, unknown> => ({ id }))
      service.fillLast(targets)
      return targets.at(-1)?.["transaction"]
    }
  ],
  [
    "what it put into a list by a name",
    (service) => {
      const list = ["a"]
      service.put(list as never)
      return (list as unknown as Record<string, unknown>)["transaction"]
    }
  ],
  [
    "what it put into a Map as a key",
    (service) => {
      const map = new Map<unknown, unknown>([["a", 1]])
      service.fillKey(map)
      return [...map.keys()][1]
    }
  ],
  ["what its class put into an object", (service) => filled((target) => void new service.Filling(target))],
  ["what it put into the result of a callback", (service) => filled((target) => service.fillResult(() => target))],
  [
    "what it put into the result of a callback later",
    (service) => filled((target) => service.fillResultLater(async () => target))
  ],
  [
    "what an Effect put into the result of a callback",
    (service) => filled((target) => service.fillResultEffect(() => target))
  ],
  ["the argument of a callback in an object", (service) => begun((begin) => service.notify({ hooks: { begin } }))],
  ["the argument of a callback in a list", (service) => begun((begin) => service.notifyAll([{ begin }]))],
  [
    "the argument of a callback in a Map",
    (service) => begun((begin) => service.notifyAll(new Map([["a", { begin }]])))
  ],
  ["an item of a list that is copied", (service) => service.nested().rows.map((row) => row)[0].in.transaction],
  [
    "the copy of a list of the service's class",
    (service) =>
      (
        (all) => () =>
          all.runAll()
      )(service.transactions().filter(() => true) as Transactions)
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
