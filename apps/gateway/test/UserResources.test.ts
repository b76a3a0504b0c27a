/** Resources of a user beside sessions: notes, rules, usage; and tools and models for sessions. */
import { Reply, ScriptedModel } from "@bough/runtime/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { thoroughOnly } from "../../../test/thorough.ts"
import { untilReplied } from "./Events.ts"
import * as Gateway from "./Gateway.ts"

describe("resources of a user", () => {
  it.live("notes are written, found, changed unless changed since, erased, and private to the user", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const gateway = yield* Gateway.start()
        const ada = yield* Gateway.user(gateway, "acme/ada")
        const bob = yield* Gateway.user(gateway, "acme/bob")
        const call = (path: string, request: Gateway.Request = {}) =>
          gateway.request(`/api/v1/notes${path}`, { token: ada, ...request })
        const created = yield* call("", { body: { text: "Wants the harbour in blue", tags: ["Colour"] } })
        assert.strictEqual(created.status, 201, created.text)
        const id: string = created.json.noteId
        const found = yield* call("?text=harbour")
        assert.deepStrictEqual(found.json.items, [created.json])
        const etag = (yield* call(`/${id}`)).headers.get("etag") ?? ""
        const change = (text: string) =>
          call(`/${id}`, { method: "PATCH", body: { text }, headers: { "if-match": etag } })
        assert.strictEqual((yield* change("Wants the harbour in green")).json.text, "Wants the harbour in green")
        assert.strictEqual((yield* change("late")).json.code, "etag_mismatch")
        const his = (path: string, request: Gateway.Request = {}) =>
          gateway.request(`/api/v1/notes${path}`, { ...request, token: bob })
        assert.deepStrictEqual((yield* his("")).json.items, [])
        for (const request of [{}, { method: "PATCH", body: { text: "mine" } }, { method: "DELETE" }]) {
          assert.strictEqual((yield* his(`/${id}`, request)).status, 404)
        }
        assert.strictEqual((yield* call(`/${id}`, { method: "DELETE" })).status, 204)
        assert.strictEqual((yield* call(`/${id}`)).status, 404)
      })
    )
  )

  it.live(
    "usage counts each model call once, and not the copies of a fork",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const usage = { inputTokens: 10, cachedInputTokens: 4, outputTokens: 3, costUsd: 0.5 }
          const scripted = yield* ScriptedModel.make([Reply.text("one", usage), Reply.text("two", usage)])
          const gateway = yield* Gateway.start({ model: () => scripted.model })
          const token = yield* Gateway.user(gateway, "acme/ada")
          const created = yield* gateway.request("/api/v1/sessions", { token, body: {} })
          const sessionId: string = created.json.id
          const path = `/api/v1/sessions/${sessionId}`
          for (const text of ["a", "b"]) {
            const last = (yield* gateway.request(`${path}/entries`, { token })).json.items.at(-1)
            yield* gateway.request(`${path}/messages`, { token, body: { text } })
            yield* untilReplied(gateway, { token, sessionId, query: `?after=${last.commit}.999` })
          }
          yield* gateway.request(`${path}/fork`, { token, body: {} })
          for (let times = 0; times < 2; times++) {
            const { json, text } = yield* gateway.request("/api/v1/usage", { token })
            assert.lengthOf(json.items, 1, text)
            const { day, ...row } = json.items[0]
            assert.match(day, /^\d{4}-\d{2}-\d{2}$/u)
            assert.deepInclude(row, { treeId: sessionId, steps: 2, inputTokens: 20, outputTokens: 6, costUsd: 1 })
          }
          const other = yield* Gateway.user(gateway, "acme/bob")
          assert.deepStrictEqual((yield* gateway.request("/api/v1/usage", { token: other })).json.items, [])
          const his = yield* gateway.request(`/api/v1/usage?sessionId=${sessionId}`, { token: other })
          assert.deepStrictEqual(his.json.items, [])
        })
      ),
    thoroughOnly
  )

  it.live("tools have the schema of their arguments, models say why they can be used, rules are listed", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const gateway = yield* Gateway.start()
        const token = yield* Gateway.user(gateway, "acme/ada")
        const tools = (yield* gateway.request("/api/v1/tools", { token })).json.items
        const reading = tools.find(({ name }: { name: string }) => name === "read_file")
        assert.strictEqual(reading.tier, "ReadOnly")
        assert.property(reading.parameters.properties, "path")
        const models = (yield* gateway.request("/api/v1/models", { token })).json.items
        assert.deepInclude(models[0], { name: "offline/planner", isDefault: true })
        assert.deepStrictEqual((yield* gateway.request("/api/v1/agents", { token })).json.items[0].name, "bough")
        assert.deepStrictEqual((yield* gateway.request("/api/v1/rules", { token })).json.items, [])
        const missing = yield* gateway.request("/api/v1/rules/..%2F..%2Fgateway", { method: "DELETE", token })
        assert.strictEqual(missing.status, 404)
      })
    )
  )
})
