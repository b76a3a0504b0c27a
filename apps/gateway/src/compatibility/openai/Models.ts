/** The models of this server are its agents. */
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { defaultAgent } from "../../sessions/AgentCatalog.ts"
import * as RequestBody from "../RequestBody.ts"
import * as OpenAiError from "./OpenAiError.ts"

const models = [defaultAgent]

const modelObject = (id: string) => ({ id, object: "model", created: 0, owned_by: "bough" })

/** Fails unless there is a model of that name. */
export const check = (model: string): Effect.Effect<void, OpenAiError.OpenAiError> =>
  models.includes(model) ? Effect.void : Effect.fail(OpenAiError.modelNotFound(model))

export const list = Effect.as(
  RequestBody.authenticate("read"),
  HttpServerResponse.jsonUnsafe({ object: "list", data: models.map(modelObject) })
)

export const get = Effect.gen(function* () {
  yield* RequestBody.authenticate("read")
  const { model = "" } = yield* HttpRouter.params
  yield* check(model)
  return HttpServerResponse.jsonUnsafe(modelObject(model))
})
