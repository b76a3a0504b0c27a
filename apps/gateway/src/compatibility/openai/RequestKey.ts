/** The key that identifies a request among all requests of its user. */
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { createHash, randomBytes } from "node:crypto"

export interface RequestKey {
  readonly text: string
  /** The digest of a request that has an `Idempotency-Key`; null: each request of this form is a new one. */
  readonly digest: string | null
}

const hash = (text: string): string => createHash("sha256").update(text).digest("hex")

/** A request that is sent again with the same `Idempotency-Key` is the same request. */
export const requestKey = Effect.gen(function* (): Effect.fn.Return<
  RequestKey,
  never,
  HttpServerRequest.HttpServerRequest
> {
  const request = yield* HttpServerRequest.HttpServerRequest
  const header = request.headers["idempotency-key"]
  if (header === undefined || header === "") {
    return { text: randomBytes(16).toString("hex"), digest: null }
  }
  const body = yield* Effect.orDie(request.text)
  return { text: hash(header).slice(0, 32), digest: hash(JSON.stringify([request.url, body])) }
})
