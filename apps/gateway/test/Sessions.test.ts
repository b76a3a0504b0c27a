/** Sessions as resources: lists, names, forks, exports, and repeated requests. */
import { Reply, ScriptedModel } from "@bough/runtime/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { thoroughOnly } from "../../../test/thorough.ts"
import { untilReplied } from "./Events.ts"
import * as Gateway from "./Gateway.ts"

const sessions = "/api/v1/sessions"

/** A gateway with a user, whose model replies with these texts. */
const withUser = <A, E>(texts: ReadonlyArray<string>, body: (at: At) => Effect.Effect<A, E, Scope.Scope>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const scripted = yield* ScriptedModel.make(texts.map((text) => Reply.text(text)))
      const gateway = yield* Gateway.start({ model: () => scripted.model })
      const token = yield* Gateway.user(gateway, "acme/ada")
      const call = (path: string, request: Gateway.Request = {}) => gateway.request(path, { token, ...request })
      const create = Effect.map(call(sessions, { body: {} }), ({ json }): string => json.id)
      const say = (sessionId: string, text: string, after = "latest") =>
        Effect.gen(function* () {
          const { json } = yield* call(`${sessions}/${sessionId}/entries`)
          const last = json.items.at(-1)
          const query = after === "latest" ? `?after=${last.commit}.999` : ""
          yield* call(`${sessions}/${sessionId}/messages`, { body: { text } })
          return yield* untilReplied(gateway, { token, sessionId, query })
        })
      return yield* body({ gateway, token, call, create, say })
    })
  )

interface At {
  readonly gateway: Gateway.Gateway
  readonly token: string
  readonly call: (path: string, request?: Gateway.Request) => Effect.Effect<Gateway.Answer>
  readonly create: Effect.Effect<string>
  readonly say: (sessionId: string, text: string) => ReturnType<typeof untilReplied>
}

describe("sessions over HTTP", () => {
  it.live("are made, forked and stopped by requests without a body, and repeated by their keys", () =>
    withUser(["Hello"], ({ call, say }) =>
      Effect.gen(function* () {
        const headers = { "idempotency-key": "bare" }
        const made = yield* call(sessions, { method: "POST", headers })
        assert.strictEqual(made.status, 201, made.text)
        const again = yield* call(sessions, { method: "POST", headers })
        assert.deepStrictEqual(again.json, made.json)
        assert.notStrictEqual((yield* call(sessions, { method: "POST" })).json.id, made.json.id)
        const path = `${sessions}/${made.json.id}`
        yield* say(made.json.id, "Good morning")
        assert.strictEqual((yield* call(`${path}/fork`, { method: "POST" })).status, 201)
        assert.strictEqual((yield* call(`${path}/cancel`, { method: "POST" })).status, 202)
        for (const body of ["null", " null\n", "[]", '"bough"', "1", '{"agent":null}', "{"]) {
          assert.strictEqual((yield* call(sessions, { body })).status, 400, body)
        }
        for (const action of ["fork", "cancel"]) {
          const refused = yield* call(`${path}/${action}`, { body: "null" })
          assert.strictEqual(refused.status, 400, action)
          assert.include(refused.json.detail, "the body is null")
        }
      })
    )
  )

  it.live(
    "are renamed unless another request did so first, keep that name, and are archived",
    () =>
      withUser(["Hello"], ({ call, create, say }) =>
        Effect.gen(function* () {
          const id = yield* create
          const path = `${sessions}/${id}`
          const etag = (yield* call(path)).headers.get("etag") ?? ""
          assert.notStrictEqual(etag, "")
          const renamed = yield* call(path, { method: "PATCH", body: { title: "Mine" }, headers: { "if-match": etag } })
          assert.strictEqual(renamed.status, 200, renamed.text)
          assert.strictEqual(renamed.json.title, "Mine")
          const late = yield* call(path, { method: "PATCH", body: { title: "Late" }, headers: { "if-match": etag } })
          assert.strictEqual(late.status, 412)
          assert.strictEqual(late.json.code, "etag_mismatch")
          const any = { "if-match": `"another", ${renamed.headers.get("etag")}` }
          assert.strictEqual(
            (yield* call(path, { method: "PATCH", body: { title: "Mine" }, headers: any })).status,
            200
          )
          const weak = { "if-match": `W/${renamed.headers.get("etag")}` }
          assert.strictEqual(
            (yield* call(path, { method: "PATCH", body: { title: "Weak" }, headers: weak })).status,
            412
          )
          yield* say(id, "Good morning")
          assert.strictEqual((yield* call(path)).json.title, "Mine")
          const listed = (query: string) => Effect.map(call(`${sessions}${query}`), ({ json }) => json.items.length)
          assert.strictEqual(yield* listed("?title=min"), 1)
          yield* call(path, { method: "PATCH", body: { archived: true } })
          assert.deepStrictEqual(
            yield* Effect.forEach(["", "?archived=true", "?archived=any", "?title=min"], listed),
            [0, 1, 1, 0]
          )
        })
      ),
    thoroughOnly
  )

  it.live("are found by their messages, forked at a step, exported, and deleted", () =>
    withUser(["The harbour is open", "Again"], ({ call, create, say }) =>
      Effect.gen(function* () {
        const id = yield* create
        yield* say(id, "Is the harbour open?")
        const found = yield* call(`${sessions}/search?text=harbour`)
        assert.includeMembers(
          found.json.items.map(({ text }: { text: string }) => text),
          ["Is the harbour open?", "The harbour is open"],
          found.text
        )
        const { items } = (yield* call(`${sessions}/${id}/entries`)).json
        const forked = yield* call(`${sessions}/${id}/fork`, { body: {} })
        assert.strictEqual(forked.status, 201, forked.text)
        const copy = (yield* call(`${sessions}/${forked.json.id}/entries`)).json.items
        assert.lengthOf(copy, items.length)
        const inside = yield* call(`${sessions}/${id}/fork`, { body: { throughSeq: 9999 } })
        assert.strictEqual(inside.json.code, "not_a_step_boundary")
        const lines = (yield* call(`${sessions}/${id}/export`)).text.trimEnd().split("\n")
        assert.deepStrictEqual(
          lines.map((line) => JSON.parse(line)),
          items
        )
        const removed = yield* call(`${sessions}/${id}`, { method: "DELETE" })
        assert.strictEqual(removed.status, 204, removed.text)
        assert.strictEqual((yield* call(`${sessions}/${id}`)).status, 404)
        assert.strictEqual((yield* call(`${sessions}/${forked.json.id}`)).status, 200)
      })
    )
  )

  it.live("are listed page by page, each once", () =>
    withUser([], ({ call, create }) =>
      Effect.gen(function* () {
        const made = yield* Effect.replicateEffect(create, 7)
        const found: Array<string> = []
        let next: string | null = ""
        while (next !== null) {
          const { json }: Gateway.Answer = yield* call(`${sessions}?limit=3${next === "" ? "" : `&cursor=${next}`}`)
          found.push(...json.items.map(({ id }: { id: string }) => id))
          next = json.next
        }
        assert.deepStrictEqual(found.toSorted(), made.toSorted())
      })
    )
  )
})

describe("a mutation with an idempotency key", () => {
  it.live("is executed once and answered the same, also for concurrent requests", () =>
    withUser([], ({ call }) =>
      Effect.gen(function* () {
        const key = { "idempotency-key": "k1" }
        const answers = yield* Effect.all(
          Array.from({ length: 8 }, () => call(sessions, { body: {}, headers: key })),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(
          answers.map(({ json, status }) => [status, json.id]),
          answers.map(() => [201, answers[0]?.json.id])
        )
        const id: string = answers[0]?.json.id
        const fork = () => call(`${sessions}/${id}/fork`, { body: {}, headers: { "idempotency-key": "f1" } })
        assert.strictEqual((yield* fork()).json.id, (yield* fork()).json.id)
        const other = yield* call(`${sessions}/${id}/fork`, { body: {}, headers: key })
        assert.strictEqual(other.json.code, "idempotency_key_reused")
        // A key does not store a failure.
        const wrong = { body: { throughSeq: 9999 }, headers: { "idempotency-key": "f2" } }
        assert.strictEqual((yield* call(`${sessions}/${id}/fork`, wrong)).status, 422)
        const right = { body: {}, headers: { "idempotency-key": "f2" } }
        assert.strictEqual((yield* call(`${sessions}/${id}/fork`, right)).status, 201)
      })
    )
  )

  it.live("of another user is a different one", () =>
    withUser([], ({ call, gateway }) =>
      Effect.gen(function* () {
        const bob = yield* Gateway.user(gateway, "acme/bob")
        const request = { body: {}, headers: { "idempotency-key": "same" } }
        const mine = yield* call(sessions, request)
        const his = yield* gateway.request(sessions, { ...request, token: bob })
        assert.strictEqual(his.status, 201)
        assert.notStrictEqual(his.json.id, mine.json.id)
      })
    )
  )
})
