/** Quotas of tenants: never exceeded by concurrent requests, with headers about the remaining amounts. */
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import * as Quota from "../../src/accounts/Quota.ts"
import { Quotas } from "../../src/accounts/Quotas.ts"
import { layer } from "./database.ts"
import { acme, actor, addPeople, globex } from "./people.ts"

const usageOf = Effect.fnUntraced(function* (tenant: typeof acme, resource: Quota.Resource) {
  const usage = yield* (yield* Quotas).usage(tenant)
  return usage.find((one) => one.resource === resource)!
})

const counted = Schema.Literals(["sessions", "storage", "attachments", "moneyPerDay"])
const amounts = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 9 })))

const withStep = <A, E>(step: Effect.Effect<A, E>) =>
  Effect.scoped(Effect.flatMap(Quotas, (quotas) => Effect.andThen(quotas.holdStep(acme), step)))

const dayMillis = 86_400_000

describe("Quotas", () => {
  it.effect.prop(
    "grants any order of requests up to the limit, and never more",
    [counted, amounts, Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 40 }))],
    ([resource, requests, limit]) =>
      Effect.gen(function* () {
        yield* addPeople
        const quotas = yield* Quotas
        yield* quotas.setLimits(acme, { [resource]: limit }, actor)
        const taken = yield* Effect.forEach(
          requests,
          (amount) => Effect.map(Effect.result(quotas.take(acme, resource, amount)), (result) => ({ amount, result })),
          { concurrency: "unbounded" }
        )
        const granted = taken
          .filter(({ result }) => result._tag === "Success")
          .reduce((sum, { amount }) => sum + amount, 0)
        const { used } = yield* usageOf(acme, resource)
        assert.strictEqual(used, granted)
        assert.isAtMost(used, limit)
        for (const { amount, result } of taken)
          if (result._tag === "Failure") {
            assert.isAbove(used + amount, limit)
            assert.strictEqual(result.failure.resource, resource)
          }
      }).pipe(Effect.provide(layer)),
    { arbitrary: { runs: 8 } }
  )

  it.effect("applies a limit at once in the process that sets it, and within a second in others", () =>
    Effect.gen(function* () {
      yield* addPeople
      const quotas = yield* Quotas
      const sql = yield* SqlClient
      const limit = Effect.map(quotas.limits(acme), (limits) => limits.get("sessions"))
      assert.isUndefined(yield* limit)
      for (const sessions of [1, 2]) {
        yield* quotas.setLimits(acme, { sessions }, actor)
        assert.strictEqual(yield* limit, sessions)
      }
      yield* sql`UPDATE quota_limits SET most = 3 WHERE tenant_id = ${acme}`
      assert.strictEqual(yield* limit, 2, "each step reads the limits")
      yield* TestClock.adjust(1000)
      assert.strictEqual(yield* limit, 3)
    }).pipe(Effect.provide(layer))
  )

  it.effect("counts each tenant and each resource by itself, and releases returned amounts", () =>
    Effect.gen(function* () {
      yield* addPeople
      const quotas = yield* Quotas
      yield* quotas.setLimits(acme, { sessions: 1, attachments: 1 }, actor)
      yield* quotas.setLimits(globex, { sessions: 1 }, actor)
      yield* quotas.take(acme, "sessions", 1)
      yield* quotas.take(acme, "attachments", 1)
      yield* quotas.take(globex, "sessions", 1)
      const error = yield* Effect.flip(quotas.take(acme, "sessions", 1))
      assert.deepInclude(error, { _tag: "QuotaExceeded", resource: "sessions", limit: 1, used: 1 })
      yield* quotas.giveBack(acme, "sessions", 1)
      yield* quotas.giveBack(acme, "sessions", 1)
      yield* quotas.take(acme, "sessions", 1)
      yield* Effect.flip(quotas.take(acme, "sessions", 1))
      yield* quotas.setLimits(acme, { sessions: null }, actor)
      yield* quotas.take(acme, "sessions", 100)
      yield* Effect.flip(quotas.take(acme, "attachments", 1))
    }).pipe(Effect.provide(layer))
  )

  it.effect("counts money by the UTC day, and a step's cost even beyond the limit", () =>
    Effect.gen(function* () {
      yield* addPeople
      const quotas = yield* Quotas
      yield* quotas.setLimits(acme, { moneyPerDay: 1_000_000 }, actor)
      yield* quotas.require(acme, "moneyPerDay")
      yield* quotas.record(acme, "moneyPerDay", 1_200_000)
      const error = yield* Effect.flip(quotas.require(acme, "moneyPerDay"))
      assert.deepInclude(error, { used: 1_200_000, resetsAtMillis: dayMillis })
      assert.strictEqual(Quota.retryAfterSeconds(error, dayMillis - 1), 1)
      yield* TestClock.adjust(1)
      yield* quotas.require(acme, "moneyPerDay")
      // The layer polls: it is made when the day is nearly over.
    }).pipe(Effect.provide(layer), (test) => Effect.andThen(TestClock.adjust(dayMillis - 1), test))
  )

  it.live("runs no more concurrent steps of a tenant than allowed, and finally every one", () =>
    Effect.gen(function* () {
      yield* addPeople
      const quotas = yield* Quotas
      yield* quotas.setLimits(acme, { concurrentSteps: 2 }, actor)
      const seen = { now: 0, most: 0, ended: 0 }
      const step = Effect.gen(function* () {
        seen.most = Math.max(seen.most, ++seen.now)
        yield* Effect.sleep("5 millis")
        seen.now--
        seen.ended++
      })
      yield* Effect.all(
        Array.from({ length: 6 }, () => withStep(step)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(seen, { now: 0, most: 2, ended: 6 })
      assert.strictEqual((yield* usageOf(acme, "concurrentSteps")).used, 0)
    }).pipe(Effect.provide(layer))
  )

  it.effect(
    "frees the permit of a step that fails, is interrupted or whose process has died, and keeps that of a long one",
    () =>
      Effect.gen(function* () {
        yield* addPeople
        const quotas = yield* Quotas
        yield* quotas.setLimits(acme, { concurrentSteps: 1 }, actor)
        yield* Effect.flip(withStep(Effect.fail("no")))
        const started = yield* Deferred.make<void>()
        const long = yield* Effect.forkChild(
          withStep(Effect.andThen(Deferred.succeed(started, undefined), Effect.never))
        )
        yield* Deferred.await(started)
        yield* TestClock.adjust("5 minutes")
        assert.strictEqual((yield* usageOf(acme, "concurrentSteps")).used, 1)
        assert.strictEqual((yield* Effect.flip(quotas.require(acme, "concurrentSteps"))).resource, "concurrentSteps")
        yield* Fiber.interrupt(long)
        yield* withStep(Effect.void)
      }).pipe(Effect.provide(layer))
  )
})

describe("Quota headers", () => {
  it("state the remainder of each limited resource and the reset time of a daily one", () => {
    const usages: ReadonlyArray<Quota.QuotaUsage> = [
      { resource: "sessions", limit: 10, used: 3, resetsAtMillis: null },
      { resource: "storage", limit: null, used: 3, resetsAtMillis: null },
      { resource: "moneyPerDay", limit: 100, used: 120, resetsAtMillis: 90_000 }
    ]
    assert.deepStrictEqual(Quota.toHeaders(usages, 30_000), {
      "ratelimit-policy": '"sessions";q=10, "moneyPerDay";q=100;w=86400',
      ratelimit: '"sessions";r=7, "moneyPerDay";r=0;t=60'
    })
    assert.deepStrictEqual(Quota.toHeaders([usages[1]], 0), {})
  })
})
