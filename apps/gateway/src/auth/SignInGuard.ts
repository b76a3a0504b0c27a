/** Counts rejected credentials per address, and makes the address wait: every route that accepts a secret uses it. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { CredentialRejected } from "../accounts/Accounts.ts"
import { AuditLog } from "../accounts/AuditLog.ts"
import { defaultPolicy, SignInFailures } from "../accounts/SignInFailures.ts"

/** Too many credentials of the address were rejected. */
export class AddressDelayed extends Schema.TaggedError<AddressDelayed>()("AddressDelayed", {
  retryAfterMillis: Schema.Number
}) {}

export const make = Effect.gen(function* () {
  const failures = yield* SignInFailures
  const audit = yield* AuditLog

  const record = Effect.fnUntraced(function* (address: string) {
    const count = yield* failures.record(address)
    // Records once per address and hour, so that a flood of guesses does not flood the log.
    if (count === defaultPolicy.freeAttempts + 1)
      yield* audit.record({
        action: "sign-in.rejected",
        actor: { tenant: null, user: null, tokenId: null, address },
        tenant: null,
        subject: address,
        detail: `${count} rejected credentials`
      })
  })

  return {
    /**
     * Checks a secret. A valid one is accepted at any time, so that a stranger behind the same address locks no one out; a
     * wrong one only gets the time to wait.
     */
    count: <A>(address: string, check: Effect.Effect<A, CredentialRejected>) =>
      Effect.catchTag(check, "CredentialRejected", (rejected) =>
        Effect.gen(function* () {
          const retryAfterMillis = yield* failures.waitMillis(address)
          if (retryAfterMillis > 0) return yield* new AddressDelayed({ retryAfterMillis })
          if (rejected.isGuess) yield* record(address)
          return yield* rejected
        })
      )
  }
})
