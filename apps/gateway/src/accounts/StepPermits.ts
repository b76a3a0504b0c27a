/**
 * Permits for steps: a slot of a tenant is a row with a lease, so that gateways over one store together run no more
 * steps than the tenant may. The slots of a killed process become free when their leases end.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { SqlClient } from "effect/sql/SqlClient"
import { randomUUID } from "node:crypto"
import type { TenantId } from "./Principal.ts"

const leaseMillis = 30_000
const renewal = "10 seconds"
const retryInterval = "50 millis"

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient

  const readTaken = (tenant: TenantId, nowMillis: number) =>
    sql<{ readonly slot: number }>`SELECT slot FROM step_permits
      WHERE tenant_id = ${tenant} AND expires_at_millis > ${nowMillis}`

  /** Takes the lowest free slot; null: all are taken, or another process was faster. */
  const tryTake = Effect.fnUntraced(function* (tenant: TenantId, limit: number, holder: string) {
    const nowMillis = yield* Clock.currentTimeMillis
    const used = new Set((yield* readTaken(tenant, nowMillis)).map((row) => row.slot))
    let slot = 0
    while (used.has(slot)) slot++
    if (slot >= limit) return null
    const expires_at_millis = nowMillis + leaseMillis
    const taken =
      yield* sql`INSERT INTO step_permits ${sql.insert({ tenant_id: tenant, slot, holder, expires_at_millis })}
      ON CONFLICT (tenant_id, slot) DO UPDATE
        SET holder = excluded.holder, expires_at_millis = excluded.expires_at_millis
        WHERE step_permits.expires_at_millis <= ${nowMillis}
      RETURNING slot`
    return taken.length === 0 ? null : slot
  }, Effect.orDie)

  const takeOne = (tenant: TenantId, limit: number, holder: string): Effect.Effect<number> =>
    Effect.flatMap(tryTake(tenant, limit, holder), (slot) =>
      slot === null
        ? Effect.andThen(
            Effect.sleep(retryInterval),
            Effect.suspend(() => takeOne(tenant, limit, holder))
          )
        : Effect.succeed(slot)
    )

  const free = (tenant: TenantId, slot: number, holder: string) =>
    Effect.orDie(sql`DELETE FROM step_permits
      WHERE tenant_id = ${tenant} AND slot = ${slot} AND holder = ${holder}`)

  const renew = (tenant: TenantId, slot: number, holder: string) =>
    Clock.currentTimeMillis.pipe(
      Effect.flatMap(
        (nowMillis) => sql`UPDATE step_permits SET expires_at_millis = ${nowMillis + leaseMillis}
          WHERE tenant_id = ${tenant} AND slot = ${slot} AND holder = ${holder}`
      ),
      Effect.delay(renewal),
      // A failed renewal is retried before the lease ends.
      Effect.ignore,
      Effect.forever
    )

  return {
    held: (tenant: TenantId, nowMillis: number) => Effect.map(readTaken(tenant, nowMillis), (rows) => rows.length),
    /** Returns once the tenant has a free slot, which is held until the scope closes. */
    hold: (tenant: TenantId, limit: number): Effect.Effect<void, never, Scope.Scope> => {
      const holder = randomUUID()
      return Effect.acquireRelease(
        takeOne(tenant, limit, holder),
        (slot) => free(tenant, slot, holder),
        // Waiting for a slot can be interrupted; taking one and holding it is a single step.
        { interruptible: true }
      ).pipe(
        Effect.flatMap((slot) => Effect.forkScoped(renew(tenant, slot, holder))),
        Effect.asVoid
      )
    }
  }
})
