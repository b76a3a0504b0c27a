/** `/v1`: hosted agents as the models of OpenAI's API. */
import * as Effect from "effect/Effect"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import type * as CompatibilityPaths from "../CompatibilityPaths.ts"
import * as CompatibilityRoute from "../CompatibilityRoute.ts"
import * as CancelResponse from "./CancelResponse.ts"
import * as ChatCompletions from "./ChatCompletions.ts"
import * as Models from "./Models.ts"
import * as OpenAiError from "./OpenAiError.ts"
import * as Responses from "./Responses.ts"
import * as StoredResponses from "./StoredResponses.ts"

const route = <P extends CompatibilityPaths.Path>(
  method: (typeof CompatibilityPaths.methods)[P][number],
  path: P,
  handler: Effect.Effect<
    HttpServerResponse.HttpServerResponse,
    OpenAiError.RequestError,
    CompatibilityRoute.SharedServices | CompatibilityRoute.RequestServices
  >
) =>
  CompatibilityRoute.make(
    method,
    path,
    handler.pipe(Effect.catch((error) => Effect.succeed(OpenAiError.toResponse(OpenAiError.fromRaised(error)))))
  )

export const layer = Layer.mergeAll(
  route("GET", "/v1/models", Models.list),
  route("GET", "/v1/models/:model", Models.get),
  route("GET", "/v1/models/:model/:agent", Models.getOfAgent),
  route("POST", "/v1/chat/completions", ChatCompletions.create),
  route("POST", "/v1/responses", Responses.create),
  route("GET", "/v1/responses/:responseId", StoredResponses.get),
  route("DELETE", "/v1/responses/:responseId", StoredResponses.remove),
  route("GET", "/v1/responses/:responseId/input_items", StoredResponses.inputItems),
  route("POST", "/v1/responses/:responseId/cancel", CancelResponse.cancel)
)
