/** The models of this server are its agents: `bough`, and `bough/NAME` for each other agent. */
import { Authorization } from "@bough/gateway-api"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { AgentCatalog, defaultAgent } from "../../sessions/AgentCatalog.ts"
import * as RequestBody from "../RequestBody.ts"
import * as OpenAiError from "./OpenAiError.ts"

/** The model name of an agent. */
export const modelOf = (agent: string): string => (agent === defaultAgent ? agent : `${defaultAgent}/${agent}`)

const modelsOf = (principal: Authorization.Principal) =>
  Effect.gen(function* () {
    const catalog = yield* AgentCatalog
    const agents = yield* catalog.agents(Authorization.userKey(principal), null)
    return new Map(agents.map(({ name }) => [modelOf(name), name]))
  })

const modelObject = (id: string) => ({ id, object: "model", created: 0, owned_by: "bough" })

/** Returns the agent that a model's name stands for; fails unless there is one. */
export const agentOf = (principal: Authorization.Principal, model: string) =>
  Effect.flatMap(modelsOf(principal), (models) => {
    const agent = models.get(model)
    return agent === undefined ? Effect.fail(OpenAiError.modelNotFound(model)) : Effect.succeed(agent)
  })

/**
 * Fails if the conversation belongs to another agent, whose tools and rules differ from those of the requested agent.
 */
export const checkAgent = (session: { readonly agent: string }, agent: string) =>
  session.agent === agent
    ? Effect.void
    : Effect.fail(
        OpenAiError.invalid(
          "model",
          `the conversation belongs to the model ${modelOf(session.agent)}; use that model, or begin a new conversation`
        )
      )

export const list = Effect.gen(function* () {
  const models = yield* modelsOf(yield* RequestBody.authenticate("read"))
  return HttpServerResponse.jsonUnsafe({ object: "list", data: [...models.keys()].map(modelObject) })
})

const retrieve = (modelName: (parameters: Readonly<Record<string, string | undefined>>) => string) =>
  Effect.gen(function* () {
    const principal = yield* RequestBody.authenticate("read")
    const model = modelName(yield* HttpRouter.params)
    yield* agentOf(principal, model)
    return HttpServerResponse.jsonUnsafe(modelObject(model))
  })

export const get = retrieve(({ model = "" }) => model)

/** Takes the name as two path segments, for clients that do not escape its slash. */
export const getOfAgent = retrieve(({ agent = "", model = "" }) => `${model}/${agent}`)
