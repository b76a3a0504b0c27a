/** Agents and models of sessions: what the operator offers, asked of a real server of models. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { withModel } from "../../cli/test/program/ModelServer.ts"
import { untilReplied } from "./Events.ts"
import * as Gateway from "./Gateway.ts"

describe("a session", () => {
  it.live("runs on the model that was chosen for it, else on its agent's, and so does its fork", () =>
    Effect.promise(() =>
      withModel(
        () => ({ text: "Done" }),
        ({ bodies, env }) =>
          Effect.runPromise(
            Effect.gen(function* () {
              const catalog = {
                agents: { fast: { model: "openai-compatible/small" } },
                models: ["openai-compatible/small", "openai-compatible/large"]
              }
              const gateway = yield* Gateway.start({ variables: env, catalog })
              const token = yield* Gateway.user(gateway, "acme/ada")
              const asked = Effect.fnUntraced(function* (body: object) {
                const created = yield* gateway.request("/api/v1/sessions", { token, body })
                assert.strictEqual(created.status, 201, created.text)
                const sessionId = created.json.id as string
                yield* say(sessionId)
                return { sessionId, model: modelOf(bodies.at(-1)) }
              })
              const say = Effect.fnUntraced(function* (sessionId: string) {
                yield* gateway.request(`/api/v1/sessions/${sessionId}/messages`, { token, body: { text: "Go" } })
                yield* untilReplied(gateway, { token, sessionId })
              })
              assert.strictEqual((yield* asked({})).model, "scripted")
              assert.strictEqual((yield* asked({ agent: "fast" })).model, "small")
              const chosen = yield* asked({ agent: "fast", model: "openai-compatible/large" })
              assert.strictEqual(chosen.model, "large")
              const fork = yield* gateway.request(`/api/v1/sessions/${chosen.sessionId}/fork`, { token, body: {} })
              const before = bodies.length
              yield* gateway.request(`/api/v1/sessions/${fork.json.id}/messages`, { token, body: { text: "Go" } })
              yield* Effect.sleep(10).pipe(Effect.repeat({ until: () => bodies.length > before }))
              assert.strictEqual(modelOf(bodies.at(-1)), "large")
              const agent = yield* gateway.request("/api/v1/sessions", { token, body: { agent: "none" } })
              assert.deepStrictEqual([agent.status, agent.json.code], [422, "unknown_agent"])
              assert.include(agent.json.detail, "bough, fast")
              const model = yield* gateway.request("/api/v1/sessions", { token, body: { model: "openai/other" } })
              assert.deepStrictEqual([model.status, model.json.code], [422, "unknown_model"])
              assert.include(model.json.detail, "openai-compatible/large")
              const agents = yield* gateway.request("/api/v1/agents", { token })
              assert.deepStrictEqual(
                agents.json.items.map(({ model, name }: { model: string | null; name: string }) => [name, model]),
                [
                  ["bough", null],
                  ["fast", "openai-compatible/small"]
                ]
              )
              const models = yield* gateway.request("/api/v1/models", { token })
              assert.deepStrictEqual(
                models.json.items.map(({ isDefault, name }: { isDefault: boolean; name: string }) => [name, isDefault]),
                [
                  ["openai-compatible/scripted", true],
                  ["openai-compatible/small", false],
                  ["openai-compatible/large", false]
                ]
              )
            }).pipe(Effect.scoped)
          )
      )
    )
  )
})

const modelOf = (body: unknown): string =>
  (typeof body === "string" ? (JSON.parse(body) as { readonly model: string }) : (body as { readonly model: string }))
    .model
