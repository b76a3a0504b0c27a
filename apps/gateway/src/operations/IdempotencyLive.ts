/**
 * Performs a mutation with an idempotency key once, and answers its repetitions alike, in any process. A failure is
 * forgotten, so that a retry runs. A request whose process ended halfway runs again: sessions themselves accept a message
 * or a creation with the same key only once. An answer with a secret is stored sealed.
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
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type * as Redacted from "effect/Redacted"
import { createHash } from "node:crypto"
import { AccessPolicy } from "../auth/AccessPolicy.ts"
import * as PresentedCredential from "../auth/PresentedCredential.ts"
import * as SealedAnswer from "./SealedAnswer.ts"

const dayMillis = 24 * 60 * 60 * 1000
/** After this time, an earlier request with the key counts as ended with its process. */
const longestMillis = 120_000
const waitMillis = 100
const maxWaits = 50

const Row = Schema.Struct({
  digest: Schema.String,
  startedAtMillis: Schema.Finite,
  status: Schema.NullOr(Schema.Finite),
  headers: Schema.NullOr(Schema.fromJsonString(Schema.Record(Schema.String, Schema.String))),
  body: Schema.NullOr(Schema.String)
})
const decodeRows = Schema.decodeUnknownEffect(Schema.Array(Row))

/** Headers that belong to the response, and not to its connection. */
const keptHeaders = ["content-type", "etag", "location"]

const textOf = ({ body }: HttpServerResponse.HttpServerResponse): string | null => {
  if (body._tag === "Empty") return ""
  return body._tag === "Uint8Array" ? Buffer.from(body.body).toString() : null
}

/** A mutation with a key. */
interface Keyed {
  readonly user: string
  readonly key: string
  readonly digest: string
  /** The credential that seals the answer; null: the answer contains no secret. */
  readonly sealedFor: Redacted.Redacted | null
}

const reused = (detail: string) =>
  HttpServerRespondable.toResponse(new Problem.Conflict({ code: "idempotency_key_reused", detail }))

/** The body of a stored answer; null: it was sealed for another credential. */
const opened = (stored: string, { key, sealedFor }: Keyed): string | null =>
  !SealedAnswer.isSealed(stored) ? stored : sealedFor === null ? null : SealedAnswer.open(stored, sealedFor, key)

const replay = ({ body, headers, status }: typeof Row.Type, keyed: Keyed) => {
  const text = opened(body ?? "", keyed)
  if (text === null) {
    return reused("the answer contains a secret: only the credential of the first request gets it again")
  }
  const contentType = headers?.["content-type"]
  return Effect.succeed(
    HttpServerResponse.text(text, {
      status: status ?? 500,
      headers: { ...headers, "idempotency-replayed": "true" },
      ...(contentType === undefined ? {} : { contentType })
    })
  )
}

export const layer: Layer.Layer<Idempotency.Idempotency, never, SqlClient.SqlClient | AccessPolicy> = Layer.effect(
  Idempotency.Idempotency,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { cookie } = yield* AccessPolicy

    yield* Clock.currentTimeMillis.pipe(
      Effect.flatMap(
        (nowMillis) => sql`DELETE FROM idempotency_keys WHERE started_at_millis < ${nowMillis - dayMillis}`
      ),
      Effect.catch((error) => Effect.logWarning(error.message)),
      Effect.schedule(Schedule.spaced("10 minutes")),
      Effect.forkScoped
    )

    /** Returns true if this request gets the key and has to perform the mutation. */
    const take = Effect.fnUntraced(function* (user: string, key: string, digest: string) {
      const nowMillis = yield* Clock.currentTimeMillis
      const row = { user_key: user, idempotency_key: key, request_digest: digest, started_at_millis: nowMillis }
      const taken = yield* sql`
        INSERT INTO idempotency_keys ${sql.insert(row)}
        ON CONFLICT (user_key, idempotency_key) DO UPDATE SET started_at_millis = ${nowMillis}
          WHERE idempotency_keys.status IS NULL AND idempotency_keys.started_at_millis < ${nowMillis - longestMillis}
            AND idempotency_keys.request_digest = ${digest}
        RETURNING idempotency_key`
      return taken.length > 0
    })

    const find = (user: string, key: string) =>
      sql`SELECT request_digest AS digest, started_at_millis AS "startedAtMillis", status, headers, body
          FROM idempotency_keys WHERE user_key = ${user} AND idempotency_key = ${key}`.pipe(
        Effect.flatMap(decodeRows),
        Effect.map(([row]) => row)
      )

    const forget = (user: string, key: string) =>
      Effect.orDie(sql`DELETE FROM idempotency_keys WHERE user_key = ${user} AND idempotency_key = ${key}`)

    const keep = ({ key, sealedFor, user }: Keyed, response: HttpServerResponse.HttpServerResponse) => {
      const text = textOf(response)
      if (text === null || response.status >= 400) return forget(user, key)
      const body = sealedFor === null ? text : SealedAnswer.seal(text, sealedFor, key)
      const { headers: given } = response
      const headers = Object.fromEntries(
        keptHeaders.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]]))
      )
      return Effect.orDie(
        sql`UPDATE idempotency_keys
            SET status = ${response.status}, headers = ${JSON.stringify(headers)}, body = ${body}
            WHERE user_key = ${user} AND idempotency_key = ${key}`
      )
    }

    type Repeated = HttpServerResponse.HttpServerResponse | null

    /** Returns the response of the first request with the key; null: it failed, and the key is free. */
    const repeated = Effect.fnUntraced(function* (keyed: Keyed) {
      const { digest, key, user } = keyed
      for (let waits = 0; waits < maxWaits; waits++) {
        const row = yield* find(user, key)
        if (row === undefined) return null satisfies Repeated
        if (row.digest !== digest) return yield* reused("the key was given to another request")
        if (row.status !== null) return yield* replay(row, keyed)
        yield* Effect.sleep(waitMillis)
      }
      const detail = "the first request with the key has not ended: ask again later"
      return yield* HttpServerRespondable.toResponse(new Problem.Conflict({ code: "idempotency_in_progress", detail }))
    })

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
        const keyed: Keyed = { user, key, digest, sealedFor }
        while (!(yield* Effect.orDie(take(user, key, digest)))) {
          const answer = yield* Effect.orDie(repeated(keyed))
          if (answer !== null) return answer
        }
        return yield* Effect.onExit(http, (exit) =>
          Exit.isSuccess(exit) ? keep(keyed, exit.value) : forget(user, key)
        )
      })
    )
  })
)
