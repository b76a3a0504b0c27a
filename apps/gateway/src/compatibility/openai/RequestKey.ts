/** The key that names a request among all of its user's. */
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { createHash, randomBytes } from "node:crypto"

/** A request that is sent again with the same `Idempotency-Key` is the same request. */
export const requestKey = Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) => {
  const given = headers["idempotency-key"]
  return given === undefined
    ? randomBytes(16).toString("hex")
    : createHash("sha256").update(given).digest("hex").slice(0, 32)
})
