/** The header by which a repeated mutation is performed only once, and the middleware that repeats the response. */
import * as Context from "effect/Context"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as Schema from "effect/Schema"
import type { CurrentPrincipal } from "./Authorization.ts"
import { limits } from "./Limits.ts"
import { Conflict } from "./Problem.ts"

const key = Schema.String.check(
  Schema.isMinLength(1),
  Schema.isMaxLength(limits.idempotencyKeyLength),
  Schema.isPattern(/^[\x21-\x7e]+$/u)
)

/** If a user repeats a request with the same key, it is performed once and gets the same response. */
export const headers = {
  "idempotency-key": Schema.optionalKey(
    key.annotate({ description: "A repeated request with the same key runs once and gets the same answer" })
  )
}

/** True if the response contains a secret: it is stored encrypted, and only the same credential gets it again. */
export const AnswersWithSecret = Context.Reference<boolean>("@bough/gateway-api/AnswersWithSecret", {
  defaultValue: () => false
})

/** Applied before `Authorization`, so that it knows the user to whom the key belongs. */
export class Idempotency extends HttpApiMiddleware.Service<Idempotency, { requires: CurrentPrincipal }>()(
  "@bough/gateway-api/Idempotency",
  { error: Conflict }
) {}
