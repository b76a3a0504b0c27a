/**
 * Refuses JSON that two parsers may interpret differently. If a key is repeated, for example, a proxy or a log may read
 * a different decision than the route.
 */
import * as StrictJson from "@bough/protocol/StrictJson"
import * as Effect from "effect/Effect"
import type * as HttpServerError from "effect/http/HttpServerError"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Result from "effect/Result"

const limits: StrictJson.ScanLimits = { maxDepth: 200, maxValues: 500_000, checksKeys: true }

const jsonType = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i

/** True if the request says that its body is JSON. */
export const isDeclared = ({ headers }: Pick<HttpServerRequest.HttpServerRequest, "headers">): boolean =>
  jsonType.test(headers["content-type"] ?? "")

const isJson = (text: string): boolean => Result.isSuccess(Result.try((): unknown => JSON.parse(text)))

/**
 * Returns the ambiguous part of a request body and its position; null: it is unambiguous, empty, not JSON, or of
 * another media type.
 */
export const findFault = (
  request: HttpServerRequest.HttpServerRequest
): Effect.Effect<string | null, HttpServerError.HttpServerError> =>
  isDeclared(request)
    ? Effect.map(request.text, (text) => {
        const fault = text === "" ? null : StrictJson.findAmbiguity(text, limits)
        // A route would take it for a missing body.
        if (text.trim() === "null") return "the body is null; send an object, or no body"
        // The route itself reports a body that is not JSON or that it does not accept.
        if (fault === null || !isJson(text)) return null
        return `the body is refused at ${StrictJson.lineAndColumn(text, fault.offset)}: ${fault.message}`
      })
    : Effect.succeed(null)
