/**
 * Delays for addresses whose credentials were rejected: after a few free attempts the wait doubles with each further
 * one. The counts are stored: a restart or another gateway over the store does not reset them.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"

export interface DelayPolicy {
  /** The number of rejections without a wait. */
  readonly freeAttempts: number
  readonly firstDelayMillis: number
  readonly longestDelayMillis: number
  /** The age at which rejections are forgotten. */
  readonly memoryMillis: number
}

export const defaultPolicy: DelayPolicy = {
  freeAttempts: 10,
  firstDelayMillis: 1000,
  longestDelayMillis: 15 * 60_000,
  memoryMillis: 60 * 60_000
}

/** Returns how long an address waits after its latest rejection. */
export const delayMillis = (failures: number, policy: DelayPolicy): number =>
  failures <= policy.freeAttempts
    ? 0
    : Math.min(policy.longestDelayMillis, policy.firstDelayMillis * 2 ** (failures - policy.freeAttempts - 1))

export class SignInFailures extends Context.Service<
  SignInFailures,
  {
    /** The milliseconds until the address may present a credential; 0: now. */
    readonly waitMillis: (address: string) => Effect.Effect<number>
    /** Counts a rejected credential; returns the number of remembered failures. */
    readonly record: (address: string) => Effect.Effect<number>
  }
>()("@bough/gateway/SignInFailures") {}

interface Row {
  readonly failures: number
  readonly last_at_millis: number | string
}

const make = (policy: DelayPolicy) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient

    const waitMillis: SignInFailures["Service"]["waitMillis"] = Effect.fnUntraced(function* (address) {
      const nowMillis = yield* Clock.currentTimeMillis
      const [row] = yield* sql<Row>`SELECT failures, last_at_millis FROM sign_in_failures
        WHERE address = ${address} AND last_at_millis > ${nowMillis - policy.memoryMillis}`
      if (row === undefined) return 0
      return Math.max(0, Number(row.last_at_millis) + delayMillis(row.failures, policy) - nowMillis)
    }, Effect.orDie)

    const record: SignInFailures["Service"]["record"] = Effect.fnUntraced(
      function* (address) {
        const nowMillis = yield* Clock.currentTimeMillis
        const oldest = nowMillis - policy.memoryMillis
        yield* sql`DELETE FROM sign_in_failures WHERE last_at_millis <= ${oldest}`
        const [row] = yield* sql<{ readonly failures: number }>`
        INSERT INTO sign_in_failures ${sql.insert({ address, failures: 1, last_at_millis: nowMillis })}
        ON CONFLICT (address) DO UPDATE
          SET failures = sign_in_failures.failures + 1, last_at_millis = excluded.last_at_millis
        RETURNING failures`
        return row.failures
      },
      sql.withTransaction,
      Effect.orDie
    )

    return SignInFailures.of({ waitMillis, record })
  })

export const layer = (policy: DelayPolicy = defaultPolicy): Layer.Layer<SignInFailures, never, SqlClient> =>
  Layer.effect(SignInFailures, make(policy))
