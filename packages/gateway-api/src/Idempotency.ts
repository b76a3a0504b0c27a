/** The header that makes a repeated mutation one mutation, and the middleware that answers the repetition alike. */
import * as Context from "effect/Context"
import * as Schema from "effect/Schema"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import type { CurrentPrincipal } from "./Authorization.ts"
import { limits } from "./Limits.ts"
import { Conflict } from "./Problem.ts"

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

/** True where the answer holds a secret: it is stored sealed, and only the credential that asked for it gets it again. */
export const AnswersWithSecret = Context.Reference<boolean>("@bough/gateway-api/AnswersWithSecret", {
  defaultValue: () => false
})

/** Applied before `Authorization`, so that it knows the user whose key it is. */
export class Idempotency extends HttpApiMiddleware.Service<Idempotency, { requires: CurrentPrincipal }>()(
  "@bough/gateway-api/Idempotency",
  { error: Conflict }
) {}
