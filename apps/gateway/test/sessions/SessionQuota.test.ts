/** Sessions that are counted in a tenant's quota, with interruptions. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { Quotas } from "../../src/accounts/Quotas.ts"
import * as SessionQuota from "../../src/sessions/SessionQuota.ts"
import { layer } from "../accounts/database.ts"
import { acme, addPeople } from "../accounts/people.ts"

describe("SessionQuota", () => {
  it.effect.each(["take", "create"] as const)("returns the quota of a request that is interrupted in %s", (at) =>
    Effect.gen(function* () {
      yield* addPeople
      const quotas = yield* Quotas
      const interruptIn = (step: "take" | "create") =>
        step === at ? Effect.withFiber((fiber) => Effect.sync(() => fiber.interruptUnsafe())) : Effect.void
      const request = yield* Effect.forkChild(
        SessionQuota.createCounted(
          quotas,
          { tenant: acme },
          {
            take: Effect.andThen(SessionQuota.takeSession(quotas, { tenant: acme }), interruptIn("take")),
            create: () => Effect.andThen(interruptIn("create"), Effect.never),
            isNew: () => true
          }
        )
      )
      assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(request)))
      const sessions = (yield* quotas.usage(acme)).find(({ resource }) => resource === "sessions")
      assert.strictEqual(sessions?.used, 0)
    }).pipe(Effect.provide(layer))
  )
})
