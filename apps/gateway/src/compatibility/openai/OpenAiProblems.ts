/**
 * Gives the problems of requests that reach no route of `/v1` the shape of OpenAI's errors: its clients do not show
 * errors of another shape.
 */
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as OpenAiError from "./OpenAiError.ts"

const ProblemText = Schema.fromJsonString(
  Schema.Struct({ code: Schema.String, title: Schema.String, detail: Schema.optionalKey(Schema.String) })
)
const decode = Schema.decodeUnknownOption(ProblemText)

const typeOf = (status: number): OpenAiError.OpenAiError["type"] => {
  switch (status) {
    case 401:
      return "authentication_error"
    case 403:
      return "permission_error"
    case 404:
      return "not_found_error"
    case 429:
      return "rate_limit_error"
    default:
      return status >= 500 ? "server_error" : "invalid_request_error"
  }
}

const textOf = ({ body }: HttpServerResponse.HttpServerResponse): string =>
  body._tag === "Uint8Array" ? Buffer.from(body.body).toString() : ""

const missingPath =
  "this path does not exist here: an agent is served at /v1/responses, /v1/chat/completions and /v1/models"

const translateProblem = (response: HttpServerResponse.HttpServerResponse): HttpServerResponse.HttpServerResponse => {
  if (response.headers["content-type"] !== "application/problem+json") return response
  const problem = Option.getOrNull(decode(textOf(response)))
  if (problem === null) return response
  const { code, detail, title } = problem
  const message = detail ?? (response.status === 404 ? missingPath : title)
  const error = { status: response.status, type: typeOf(response.status), code, message, param: null }
  return HttpServerResponse.jsonUnsafe(OpenAiError.body(error), {
    status: response.status,
    headers: Object.fromEntries(
      Object.entries(response.headers).filter(([name]) => !name.startsWith("content-t") && name !== "content-length")
    )
  })
}

export const translate = <E, R>(http: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) =>
    /^\/v1(?:\/|$)/u.test(url.split("?", 1)[0] ?? "") ? Effect.map(http, translateProblem) : http
  )
