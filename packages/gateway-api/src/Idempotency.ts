/** The header that makes a repeated mutation one mutation. */
import * as Schema from "effect/Schema"
import { limits } from "./Limits.ts"

const key = Schema.String.check(
  Schema.isMinLength(1),
  Schema.isMaxLength(limits.idempotencyKeyLength),
  Schema.isPattern(/^[\x21-\x7e]+$/u)
)

/** A request that is repeated with its key by the same user is carried out once and answered alike. */
export const headers = {
  "idempotency-key": Schema.optionalKey(
    key.annotate({ description: "A repeated request with the same key is carried out once and answered alike" })
  )
}
