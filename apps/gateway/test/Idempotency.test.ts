/** Idempotency keys of every mutation, and answers with secrets, which are stored to be repeated. */
import { Api } from "@bough/gateway-api"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as Schema from "effect/Schema"
import { readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { thoroughOnly } from "../../../test/thorough.ts"
import * as Gateway from "./Gateway.ts"

const keyed = { "idempotency-key": "k1" }

/** The bytes of the gateway's own database, including its write-ahead log. */
const storedBytes = ({ dataDirectory }: Gateway.Gateway): string =>
  readdirSync(dataDirectory)
    .filter((name) => name.startsWith("gateway.db"))
    .map((name) => readFileSync(join(dataDirectory, name)).toString("latin1"))
    .join("")

describe("idempotency keys", () => {
  it("are accepted by every mutation except signing in and out", () => {
    const without: Array<string> = []
    HttpApi.reflect(Api.Api, {
      onGroup: () => {},
      onEndpoint: ({ endpoint: { headers, identifier, method }, group }) => {
        const takes =
          headers !== undefined && JSON.stringify(Schema.toJsonSchemaDocument(headers)).includes('"idempotency-key"')
        if (method !== "GET" && group.identifier !== "signIn" && !takes)
          without.push(`${group.identifier}.${identifier}`)
      }
    })
    assert.deepStrictEqual(without, [])
  })

  it.live(
    "create one token for a repeated request, whose secret is in no copy of the database",
    () =>
      Effect.gen(function* () {
        const gateway = yield* Gateway.start()
        const token = yield* Gateway.user(gateway, "acme/ada")
        const body = { label: "laptop", scopes: ["read"], lifetimeSeconds: null }
        const create = (own: string) => gateway.request("/api/v1/tokens", { token: own, body, headers: keyed })
        const first = yield* create(token)
        assert.strictEqual(first.status, 201, first.text)
        const again = yield* create(token)
        assert.strictEqual(again.text, first.text)
        assert.strictEqual(again.headers.get("idempotency-replayed"), "true")
        const secret: string = first.json.secret
        assert.strictEqual((yield* gateway.request("/auth/me", { token: secret })).status, 200)
        // Another credential of the same user does not get the stored answer.
        const other = yield* create(yield* Gateway.user(gateway, "acme/ada"))
        assert.deepStrictEqual([other.status, other.json.code], [409, "idempotency_key_reused"])
        assert.notInclude(other.text, secret)
        const stored = storedBytes(gateway)
        assert.include(stored, "sealed:")
        assert.notInclude(stored, secret)
        const listed = (yield* gateway.request("/api/v1/tokens", { token })).json.items
        assert.lengthOf(
          listed.filter(({ label }: { readonly label: string }) => label === "laptop"),
          1
        )
      }),
    thoroughOnly
  )

  it.live("create one webhook, rotate its secret once, and remove it once", () =>
    Effect.gen(function* () {
      const gateway = yield* Gateway.start()
      const token = yield* Gateway.user(gateway, "acme/ada")
      const twice = (path: string, request: Gateway.Request) =>
        Effect.map(Effect.all([1, 2].map(() => gateway.request(path, { token, ...request }))), ([first, second]) => {
          assert.strictEqual(second?.text, first?.text)
          assert.strictEqual(second?.status, first?.status)
          return first
        })
      const hook = { url: "https://93.184.216.34/hook", events: ["session.ended"] }
      const made = yield* twice("/api/v1/webhooks", { body: hook, headers: keyed })
      assert.strictEqual(made?.status, 201, made?.text)
      const path = `/api/v1/webhooks/${made?.json.webhook.id}`
      const rotated = yield* twice(`${path}/secret`, { method: "POST", headers: { "idempotency-key": "k2" } })
      assert.notStrictEqual(rotated?.json.secret, made?.json.secret)
      const stored = storedBytes(gateway)
      // The store of webhooks has their secrets, since messages are signed with them; the stored answers have none.
      assert.strictEqual(stored.split('"secret":').length, 1)
      assert.lengthOf((yield* gateway.request("/api/v1/webhooks", { token })).json.items, 1)
      const removed = yield* twice(path, { method: "DELETE", headers: { "idempotency-key": "k3" } })
      assert.strictEqual(removed?.status, 204)
    })
  )

  it.live("add one user of a tenant, with one link", () =>
    Effect.gen(function* () {
      const gateway = yield* Gateway.start()
      const token = yield* Gateway.operator(gateway)
      const body = { user: "ann", name: "Ann", scopes: ["read"] }
      const add = gateway.request("/api/v1/tenants/operators/users", { token, body, headers: keyed })
      const first = yield* add
      assert.strictEqual(first.status, 201, first.text)
      assert.strictEqual((yield* add).text, first.text)
      assert.notInclude(storedBytes(gateway), first.json.link.secret)
    })
  )
})
