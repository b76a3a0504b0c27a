/**
 * Model calls under quotas: none beyond the money of the day, none with an unknown price, and only as many at once as
 * allowed.
 */
import type { Model } from "@bough/runtime"
import { Reply, ScriptedModel } from "@bough/runtime/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { Quotas } from "../../src/accounts/Quotas.ts"
import * as ModelCalls from "../../src/operations/ModelCalls.ts"
import * as MeteredModel from "../../src/sessions/MeteredModel.ts"
import { layer } from "../accounts/database.ts"
import { acme, actor, addPeople } from "../accounts/people.ts"

const prompt: Model.Prompt = { system: "", messages: [], tools: [] }

const replyOf = (model: Model.Model["Service"]) => Stream.runCollect(model.stream(prompt))

const services = Layer.merge(layer, ModelCalls.layer)

const metered = Effect.fnUntraced(function* (costUsd: number | null) {
  yield* addPeople
  const quotas = yield* Quotas
  const { model } = yield* ScriptedModel.make([Reply.text("one"), Reply.text("two"), Reply.text("three")])
  const { usesNoTokens: _, ...rest } = model
  const counted: Model.Model["Service"] = {
    ...rest,
    priced: costUsd !== null,
    stream: (prompt) => Stream.map(model.stream(prompt), (part) => (part._tag === "End" ? { ...part, costUsd } : part))
  }
  const calls = yield* ModelCalls.ModelCalls
  return { calls, quotas, model: MeteredModel.make({ calls, quotas }, acme)(counted) }
})

describe("MeteredModel", () => {
  it.effect("asks the model while money is left, and says when it may ask again", () =>
    Effect.gen(function* () {
      const { model, quotas } = yield* metered(0.6)
      yield* quotas.setLimits(acme, { moneyPerDay: 1_000_000 }, actor)
      yield* replyOf(model)
      yield* replyOf(model)
      const error = yield* Effect.flip(replyOf(model))
      assert.deepStrictEqual([error.reason, error.retryable], ["Refused", false])
      assert.include(error.message, "moneyPerDay")
      assert.include(error.hint, "1970-01-02T00:00:00.000Z")
    }).pipe(Effect.provide(services))
  )

  it.effect("asks no model without a price if money is limited, and any otherwise", () =>
    Effect.gen(function* () {
      const { model, quotas } = yield* metered(null)
      yield* replyOf(model)
      yield* quotas.setLimits(acme, { moneyPerDay: 1_000_000 }, actor)
      assert.include((yield* Effect.flip(replyOf(model))).message, "price")
    }).pipe(Effect.provide(services))
  )

  it.live("holds a permit for as long as the reply streams", () =>
    Effect.gen(function* () {
      const { model, quotas } = yield* metered(0)
      yield* quotas.setLimits(acme, { concurrentSteps: 1 }, actor)
      const used = Effect.map(
        quotas.usage(acme),
        (usage) => usage.find(({ resource }) => resource === "concurrentSteps")?.used
      )
      const during = yield* model.stream(prompt).pipe(
        Stream.mapEffect(() => used),
        Stream.runCollect
      )
      assert.deepStrictEqual([...new Set(during)], [1])
      assert.strictEqual(yield* used, 0)
      const cut = yield* Effect.forkChild(Stream.runDrain(Stream.concat(model.stream(prompt), Stream.never)))
      yield* Fiber.interrupt(cut)
      assert.strictEqual(yield* used, 0)
    }).pipe(Effect.provide(services))
  )

  it.live("counts each call once, however it ends, but no call that waits for a permit", () =>
    Effect.gen(function* () {
      const { calls, model, quotas } = yield* metered(0)
      yield* quotas.setLimits(acme, { concurrentSteps: 1 }, actor)
      const during = yield* model.stream(prompt).pipe(
        Stream.mapEffect(() => Effect.sync(() => ({ ...calls.counts()[0] }))),
        Stream.runCollect
      )
      assert.deepInclude(during[0], { running: 1, started: 1, ended: 0 })
      const held = yield* Scope.make()
      yield* Scope.provide(quotas.holdStep(acme), held)
      const waiting = yield* Effect.forkChild(replyOf(model))
      yield* Effect.sleep(20)
      assert.deepInclude(calls.counts()[0], { running: 0, started: 1, ended: 1 })
      yield* Scope.close(held, Exit.void)
      yield* Fiber.join(waiting)
      const cut = Stream.mapEffect(model.stream(prompt), () => Effect.never)
      yield* Effect.timeoutOption(Stream.runDrain(cut), 20)
      assert.deepInclude(calls.counts()[0], { running: 0, started: 3, ended: 3 })
    }).pipe(Effect.provide(services))
  )
})
