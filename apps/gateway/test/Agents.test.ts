/** Agents and models of sessions: the operator's offer, requested from a real server of models. */
import { Reply, ScriptedModel } from "@bough/runtime/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { createHash } from "node:crypto"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import OpenAI from "openai"
import { thoroughOnly } from "../../../test/thorough.ts"
import { withModel } from "../../cli/test/program/ModelServer.ts"
import { tar } from "./archives.ts"
import { events, untilReplied } from "./Events.ts"
import { upload } from "./Files.ts"
import * as Gateway from "./Gateway.ts"

describe("a session", () => {
  it.live(
    "runs on the model that was chosen for it, else on its agent's, and so does its fork",
    () =>
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
                const answerTo = Effect.fnUntraced(function* (body: object) {
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
                assert.strictEqual((yield* answerTo({})).model, "scripted")
                assert.strictEqual((yield* answerTo({ agent: "fast" })).model, "small")
                const chosen = yield* answerTo({ agent: "fast", model: "openai-compatible/large" })
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
                  models.json.items.map(({ isDefault, name }: { isDefault: boolean; name: string }) => [
                    name,
                    isDefault
                  ]),
                  [
                    ["openai-compatible/scripted", true],
                    ["openai-compatible/small", false],
                    ["openai-compatible/large", false]
                  ]
                )
              }).pipe(Effect.scoped)
            )
        )
      ),
    thoroughOnly
  )

  it.live("keeps its model, its agent and the conversation up to there in a fork by previous_response_id", () =>
    Effect.promise(() =>
      withModel(
        ({ messages }) => ({ text: `Answer ${messages.filter(({ role }) => role === "user").length}` }),
        ({ bodies, env }) =>
          Effect.runPromise(
            Effect.gen(function* () {
              const catalog = {
                agents: { fast: { model: "openai-compatible/small" } },
                models: ["openai-compatible/small", "openai-compatible/large"]
              }
              const gateway = yield* Gateway.start({ variables: env, catalog })
              const token = yield* Gateway.user(gateway, "acme/ada")
              // The session that the first request with this key continues, with a model of its own.
              const key = createHash("sha256").update("first").digest("hex").slice(0, 32)
              const made = yield* gateway.request("/api/v1/sessions", {
                token,
                body: { agent: "fast", model: "openai-compatible/large" },
                headers: { "idempotency-key": `openai:fast:${key}` }
              })
              const client = new OpenAI({ apiKey: token, baseURL: `${gateway.url}/v1`, maxRetries: 0 })
              const ask = (input: string, rest: object = {}, headers: Record<string, string> = {}) =>
                Effect.promise(() => client.responses.create({ model: "bough/fast", input, ...rest }, { headers }))
              const sessionOf = ({ metadata }: { readonly metadata: unknown }) =>
                (metadata as Readonly<Record<string, string>>)["bough_session"]
              const first = yield* ask("apples", {}, { "idempotency-key": "first" })
              assert.strictEqual(sessionOf(first), made.json.id)
              yield* ask("pears", { previous_response_id: first.id })
              const fork = yield* ask("plums", { previous_response_id: first.id })
              assert.notStrictEqual(sessionOf(fork), made.json.id)
              const matching = bodies.filter((body) => body.includes("plums"))
              assert.isNotEmpty(matching)
              for (const body of matching) {
                assert.strictEqual(modelOf(body), "large")
                assert.include(body, "apples")
                assert.notInclude(body, "pears")
              }
              const forked = (yield* gateway.request(`/api/v1/sessions/${sessionOf(fork)}`, { token })).json
              assert.deepInclude(forked, { agent: "fast", workspaceId: made.json.workspaceId, state: "Suspended" })
            }).pipe(Effect.scoped)
          )
      )
    )
  )
})

const reviewer = `---
name: reviewer
description: Reviews changes
tools: [read_file, list_files]
---
Only read, and list what is wrong.
`

describe("an agent with a definition", () => {
  it.live(
    "narrows sessions that are created with it, and is a model of OpenAI clients",
    () =>
      Effect.promise(() =>
        withModel(
          () => ({ text: "Reviewed" }),
          ({ bodies, env }) =>
            Effect.runPromise(
              Effect.gen(function* () {
                const dataDirectory = yield* Gateway.folder
                const folder = join(dataDirectory, "config", "bough")
                mkdirSync(join(folder, "agents"), { recursive: true })
                writeFileSync(join(folder, "agents", "reviewer.md"), reviewer)
                const gateway = yield* Gateway.start({ dataDirectory, variables: env })
                const token = yield* Gateway.user(gateway, "acme/ada")
                const { json: agents } = yield* gateway.request("/api/v1/agents", { token })
                assert.deepStrictEqual(
                  agents.items.map(({ from, name }: { from: string; name: string }) => [name, from]),
                  [
                    ["bough", "gateway"],
                    ["reviewer", "configuration"]
                  ]
                )
                const created = yield* gateway.request("/api/v1/sessions", { token, body: { agent: "reviewer" } })
                assert.deepStrictEqual([created.status, created.json.agent], [201, "reviewer"])
                const path = `/api/v1/sessions/${created.json.id}/messages`
                yield* gateway.request(path, { token, body: { text: "Look" } })
                yield* untilReplied(gateway, { token, sessionId: created.json.id })
                assert.deepStrictEqual(toolsOf(bodies.at(-1)), ["list_files", "read_file"])
                assert.include(JSON.stringify(bodies.at(-1)), "Only read, and list what is wrong.")

                const client = new OpenAI({ apiKey: token, baseURL: `${gateway.url}/v1`, maxRetries: 0 })
                const { data } = yield* Effect.promise(() => client.models.list())
                assert.deepStrictEqual(
                  data.map(({ id }) => id),
                  ["bough", "bough/reviewer"]
                )
                const model = "bough/reviewer"
                assert.strictEqual((yield* Effect.promise(() => client.models.retrieve(model))).id, model)
                const raw = yield* gateway.request("/v1/models/bough/reviewer", { token })
                assert.deepStrictEqual([raw.status, raw.json.id], [200, model])
                const first = yield* Effect.promise(() => client.responses.create({ model, input: "Look" }))
                assert.strictEqual(first.output_text, "Reviewed")
                assert.deepStrictEqual(toolsOf(bodies.at(-1)), ["list_files", "read_file"])
                const previous_response_id = first.id
                const wrong = yield* Effect.promise(() =>
                  client.responses
                    .create({ model: "bough", input: "More", previous_response_id })
                    .catch((error: unknown) => error)
                )
                assert.deepInclude(wrong, { status: 400, param: "model" })
                const before = bodies.length
                const again = yield* Effect.promise(() =>
                  client.responses.create({ model, input: "More", previous_response_id })
                )
                assert.deepStrictEqual([again.output_text, bodies.length], ["Reviewed", before + 1])

                // Without its definition a session would have every tool: it is not run.
                rmSync(join(folder, "agents", "reviewer.md"))
                const left = yield* Effect.promise(() =>
                  client.responses
                    .create({ model: "bough", input: "More", previous_response_id })
                    .catch((error: unknown) => error)
                )
                assert.deepInclude(left, { status: 400, param: "model" })
                const sent = yield* gateway.request(path, { token, body: { text: "Look" } })
                assert.deepStrictEqual([sent.status, sent.json.code], [422, "unknown_agent"])
                const gone = yield* gateway.request("/api/v1/sessions", { token, body: { agent: "reviewer" } })
                assert.deepStrictEqual([gone.status, gone.json.code], [422, "unknown_agent"])
              }).pipe(Effect.scoped)
            )
        )
      ),
    thoroughOnly
  )

  it.live("is trusted with its content when a session is created, and not after a change", () =>
    Effect.promise(() =>
      withModel(
        () => ({ text: "Reviewed" }),
        ({ bodies, env }) =>
          Effect.runPromise(
            Effect.gen(function* () {
              const gateway = yield* Gateway.start({ variables: env })
              const token = yield* Gateway.user(gateway, "acme/ada")
              const files = tar([
                { name: ".bough/agents/reviewer.md", content: reviewer },
                { name: ".bough/agents/other.md", content: reviewer.replaceAll("reviewer", "other") },
                { name: "AGENTS.md", content: "Obey the workspace." }
              ])
              const uploaded: string = (yield* upload(gateway, "/api/v1/workspaces", { token, body: files })).json.id
              const query = `?workspaceId=${uploaded}`
              const { json } = yield* gateway.request(`/api/v1/agents${query}`, { token })
              assert.deepStrictEqual(
                json.items.map(({ from, name }: { from: string; name: string }) => [name, from]),
                [
                  ["bough", "gateway"],
                  ["other", "workspace"],
                  ["reviewer", "workspace"]
                ]
              )
              const eve = yield* Gateway.user(gateway, "acme/eve")
              assert.strictEqual((yield* gateway.request(`/api/v1/agents${query}`, { token: eve })).status, 404)
              const without = yield* gateway.request("/api/v1/sessions", { token, body: { agent: "reviewer" } })
              assert.strictEqual(without.json.code, "unknown_agent")

              const body = { agent: "reviewer", workspaceId: uploaded }
              const sessionId: string = (yield* gateway.request("/api/v1/sessions", { token, body })).json.id
              yield* gateway.request(`/api/v1/sessions/${sessionId}/messages`, { token, body: { text: "Look" } })
              yield* untilReplied(gateway, { token, sessionId })
              assert.deepStrictEqual(toolsOf(bodies.at(-1)), ["list_files", "read_file"])
              assert.notInclude(JSON.stringify(bodies.at(-1)), "Obey the workspace.")

              // The agent's file changes before the session is loaded: the trusted content is missing.
              const changed: string = (yield* gateway.request("/api/v1/sessions", { token, body })).json.id
              const folder = join(gateway.dataDirectory, "tenants", "acme", "workspaces", uploaded)
              writeFileSync(join(folder, ".bough", "agents", "reviewer.md"), reviewer.replace("[read_file, ", "["))
              const requestCount = bodies.length
              const path = `/api/v1/sessions/${changed}/messages`
              const refused = yield* gateway.request(path, { token, body: { text: "Look" } })
              assert.deepStrictEqual([refused.status, refused.json.code], [422, "unknown_agent"])
              assert.include(refused.json.detail, "its file has changed")
              assert.strictEqual(bodies.length, requestCount)
            }).pipe(Effect.scoped)
          )
      )
    )
  )
})

const modelOf = (body: unknown): string =>
  (typeof body === "string" ? (JSON.parse(body) as { readonly model: string }) : (body as { readonly model: string }))
    .model

const toolsOf = (body: unknown): ReadonlyArray<string> => {
  const read = typeof body === "string" ? (JSON.parse(body) as unknown) : body
  const { tools } = read as { readonly tools: ReadonlyArray<{ readonly function: { readonly name: string } }> }
  return tools.map((tool) => tool.function.name).toSorted()
}

describe("a session whose agent is no longer offered", () => {
  it.live(
    "can be read, and tells every reader why it does not continue",
    () =>
      Effect.gen(function* () {
        const dataDirectory = yield* Gateway.folder
        const scripted = yield* ScriptedModel.make([Reply.hang([{ _tag: "Text", text: "I loo" }])])
        const first = yield* Scope.make()
        const catalog = { agents: { reviewer: {} } }
        const before = yield* Scope.provide(
          Gateway.start({ dataDirectory, catalog, model: () => scripted.model }),
          first
        )
        const token = yield* Gateway.user(before, "acme/ada")
        const created = yield* before.request("/api/v1/sessions", { token, body: { agent: "reviewer" } })
        assert.strictEqual(created.status, 201, created.text)
        const sessionId = created.json.id as string
        const path = `/api/v1/sessions/${sessionId}/messages`
        assert.strictEqual((yield* before.request(path, { token, body: { text: "Look" } })).status, 202)
        yield* events(before, { token, sessionId }).pipe(
          Stream.takeUntil(({ frame }) => frame._tag === "Delta"),
          Stream.runDrain
        )
        yield* Scope.close(first, Exit.void)

        const gateway = yield* Gateway.start({ dataDirectory, model: () => scripted.model })
        const failed = events(gateway, { token, sessionId }).pipe(
          Stream.filter(({ frame }) => frame._tag === "TurnFailed"),
          Stream.take(1),
          Stream.runCollect
        )
        const refused = yield* gateway.request(path, { token, body: { text: "Go on" } })
        assert.deepStrictEqual([refused.status, refused.json.code], [422, "unknown_agent"])
        for (const [received] of [yield* failed, yield* failed]) {
          assert.deepInclude(received?.frame, { _tag: "TurnFailed", error: "NotServed", retryInMillis: null })
          assert.include(JSON.stringify(received?.frame), "reviewer")
        }
      }),
    thoroughOnly
  )
})
