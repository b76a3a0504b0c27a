/**
 * Performs a mutation with an idempotency key once, and returns the same response to its repetitions, in any process. A
 * failure is not stored, so a retry runs again. A request whose process ended halfway also runs again, because sessions
 * themselves accept a message or a creation with the same key only once. A response with a secret is stored encrypted.
 */
import { Authorization, Idempotency, Problem } from "@bough/gateway-api"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerRespondable from "effect/http/HttpServerRespondable"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import type * as SqlClient from "effect/sql/SqlClient"
import { createHash } from "node:crypto"
import { AccessPolicy } from "../auth/AccessPolicy.ts"
import * as PresentedCredential from "../auth/PresentedCredential.ts"
import * as IdempotencyRows from "./IdempotencyRows.ts"
import * as SealedAnswer from "./SealedAnswer.ts"

const dayMillis = 24 * 60 * 60 * 1000

/** Headers that belong to the response, and not to its connection. */
const keptHeaders = ["content-type", "etag", "location"]

const textOf = ({ body }: HttpServerResponse.HttpServerResponse): string | null => {
  if (body._tag === "Empty") return ""
  return body._tag === "Uint8Array" ? Buffer.from(body.body).toString() : null
}

/** A mutation with a key. */
interface KeyedMutation extends IdempotencyRows.KeyedRequest {
  /** The credential that encrypts the stored response; null: the response contains no secret. */
  readonly sealedFor: Redacted.Redacted | null
}

const conflict = (code: "idempotency_key_reused" | "idempotency_in_progress", detail: string) =>
  HttpServerRespondable.toResponse(new Problem.Conflict({ code, detail }))

/** The body of a stored response; null: it was encrypted for another credential. */
const unseal = (stored: string, { key, sealedFor }: KeyedMutation): string | null =>
  !SealedAnswer.isSealed(stored) ? stored : sealedFor === null ? null : SealedAnswer.open(stored, sealedFor, key)

const replay = ({ body, headers, status }: IdempotencyRows.StoredResponse, keyed: KeyedMutation) => {
  const text = unseal(body, keyed)
  if (text === null) {
    const detail = "the answer contains a secret: only the credential of the first request gets it again"
    return conflict("idempotency_key_reused", detail)
  }
  const contentType = headers["content-type"]
  return Effect.succeed(
    HttpServerResponse.text(text, {
      status,
      headers: { ...headers, "idempotency-replayed": "true" },
      ...(contentType === undefined ? {} : { contentType })
    })
  )
}

export const layer: Layer.Layer<Idempotency.Idempotency, never, SqlClient.SqlClient | AccessPolicy> = Layer.effect(
  Idempotency.Idempotency,
  Effect.gen(function* () {
    const rows = yield* IdempotencyRows.make
    const { cookie } = yield* AccessPolicy

    yield* Clock.currentTimeMillis.pipe(
      Effect.flatMap((nowMillis) => rows.removeBefore(nowMillis - dayMillis)),
      Effect.catch((error) => Effect.logWarning(error.message)),
      Effect.schedule(Schedule.spaced("10 minutes")),
      Effect.forkScoped
    )

    const keep = (keyed: KeyedMutation, response: HttpServerResponse.HttpServerResponse) => {
      const { headers, status } = response
      const text = textOf(response)
      if (text === null || status >= 400) return rows.forget(keyed)
      return rows.keep(keyed, {
        status,
        headers: Object.fromEntries(
          keptHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]]))
        ),
        body: keyed.sealedFor === null ? text : SealedAnswer.seal(text, keyed.sealedFor, keyed.key)
      })
    }

    return Idempotency.Idempotency.of((http, { endpoint }) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const key = request.headers["idempotency-key"]
        if (endpoint.method === "GET" || key === undefined || key === "") return yield* http
        const user = Authorization.userKey(yield* Authorization.CurrentPrincipal)
        const text = yield* Effect.orDie(request.text)
        const digest = createHash("sha256")
          .update(JSON.stringify([endpoint.method, request.url, text]))
          .digest("hex")
        const presented = PresentedCredential.fromRequest(request, cookie)
        const hasSecret = Context.get(endpoint.annotations, Idempotency.AnswersWithSecret)
        const sealedFor = hasSecret && presented._tag !== "None" ? presented.secret : null
        const keyed: KeyedMutation = { user, key, digest, sealedFor }
        const claim = yield* rows.claim(keyed)
        switch (claim._tag) {
          case "Reused":
            return yield* conflict("idempotency_key_reused", "the key was used for another request")
          case "InProgress":
            return yield* conflict(
              "idempotency_in_progress",
              "the first request with the key has not ended: ask again later"
            )
          case "Repeated":
            return yield* replay(claim.answer, keyed)
          case "Claimed":
            return yield* Effect.onExit(http, (exit) =>
              Exit.isSuccess(exit) ? keep(keyed, exit.value) : rows.forget(keyed)
            )
        }
      })
    )
  })
)
