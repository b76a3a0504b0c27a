/** Management of users over HTTP: every route, requested by admins of other tenants and by users without the scope. */
import { Api } from "@bough/gateway-api"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as Redacted from "effect/Redacted"
import { thoroughOnly } from "../../../../test/thorough.ts"
import * as FirstAdmin from "../../src/accounts/FirstAdmin.ts"
import * as Gateway from "../Gateway.ts"

interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
}

const operations = (): ReadonlyArray<Operation> => {
  const found: Array<Operation> = []
  HttpApi.reflect(Api.Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint: { identifier, method, path }, group }) => {
      if (["tenants", "tokens"].includes(group.identifier))
        found.push({ id: `${group.identifier}.${identifier}`, method, path })
    }
  })
  return found
}

const bodies: Readonly<Record<string, unknown>> = {
  "tenants.create": { tenant: "new", name: "New" },
  "tenants.setQuotas": { sessions: 1 },
  "tenants.addUser": { user: "eve", name: "Eve", scopes: ["admin"] },
  "tenants.setUserScopes": { scopes: [] },
  "tokens.create": { label: "", scopes: [], lifetimeSeconds: 60 }
}

const tokenIdOf = (secret: string): string => secret.split("_")[2]

/** A gateway with an operator, and two tenants with an admin and a user each. */
const people = Effect.gen(function* () {
  const gateway = yield* Gateway.start()
  const invitation = yield* Effect.provide(FirstAdmin.invite, gateway.context)
  const operator = Redacted.value(invitation!.token.secret)
  const tokens = {
    operator,
    admin: yield* Gateway.user(gateway, "acme/ada"),
    person: yield* Gateway.user(gateway, "acme/ann", ["read", "chat", "approve"]),
    otherAdmin: yield* Gateway.user(gateway, "globex/gus"),
    otherPerson: yield* Gateway.user(gateway, "globex/gil")
  }
  const call = ({ id, method, path }: Operation, token: string, ids: Readonly<Record<string, string>>) => {
    const address = path.replaceAll(/:(\w+)/gu, (_, name: string) => ids[name])
    return gateway.request(address, { method, token, ...(id in bodies ? { body: bodies[id] } : {}) })
  }
  return { gateway, tokens, call }
})

describe("users over HTTP", () => {
  it.live("of another tenant are not found by its admin, whatever the route", () =>
    Effect.gen(function* () {
      const { call, tokens } = yield* people
      const ids = { tenant: "globex", user: "gil", tokenId: tokenIdOf(tokens.otherPerson) }
      const withIds = operations().filter(({ path }) => path.includes(":"))
      assert.isAbove(withIds.length, 9)
      for (const operation of withIds) {
        const answer = yield* call(operation, tokens.admin, ids)
        assert.deepStrictEqual([answer.status, answer.json.code], [404, "not_found"], operation.id)
      }
      // A tenant that does not exist gets the same answers.
      for (const operation of withIds) {
        const answer = yield* call(operation, tokens.admin, { tenant: "nowhere", user: "gil", tokenId: "0".repeat(16) })
        assert.deepStrictEqual([answer.status, answer.json.code], [404, "not_found"], operation.id)
      }
    })
  )

  it.live("are managed only with the scope, and tenants by operators alone", () =>
    Effect.gen(function* () {
      const { call, gateway, tokens } = yield* people
      const ids = { tenant: "acme", user: "ada", tokenId: tokenIdOf(tokens.admin) }
      for (const operation of operations()) {
        if (operation.id === "tokens.list") continue
        const answer = yield* call(operation, tokens.person, ids)
        assert.deepStrictEqual([answer.status, answer.json.code], [403, "scope_missing"], operation.id)
      }
      for (const id of ["tenants.create", "tenants.setQuotas", "tenants.remove"]) {
        const operation = operations().find((one) => one.id === id)!
        const answer = yield* call(operation, tokens.admin, ids)
        assert.deepStrictEqual([answer.status, answer.json.code], [403, "operator_only"], id)
      }
      const listed = yield* gateway.request("/api/v1/tenants", { token: tokens.admin })
      assert.deepStrictEqual(
        listed.json.items.map(({ tenant }: { tenant: string }) => tenant),
        ["acme"]
      )
      const all = yield* gateway.request("/api/v1/tenants", { token: tokens.operator })
      assert.lengthOf(all.json.items, 3)
      const own = yield* gateway.request("/api/v1/tenants/default", { method: "DELETE", token: tokens.operator })
      assert.deepStrictEqual([own.status, own.json.code], [409, "own_tenant"])
    })
  )

  it.live("are added with a link that signs them in once; an admin gets no credential of an existing user", () =>
    Effect.gen(function* () {
      const { gateway, tokens } = yield* people
      const path = "/api/v1/tenants/acme/users"
      const body = { user: "eve", name: "Eve", scopes: ["read", "approve"] }
      const added = yield* gateway.request(path, { token: tokens.admin, body })
      assert.strictEqual(added.status, 201, added.text)
      const signedIn = yield* gateway.request("/auth/link", { body: { secret: added.json.link.secret } })
      assert.deepInclude(signedIn.json, { tenant: "acme", user: "eve", scopes: ["read", "approve"] })
      for (const user of ["eve", "ann"]) {
        const again = yield* gateway.request(path, { token: tokens.admin, body: { ...body, user } })
        assert.deepStrictEqual([again.status, again.json.code], [409, "account_exists"])
      }
      const removed = yield* gateway.request(`${path}/eve`, { method: "DELETE", token: tokens.admin })
      assert.strictEqual(removed.status, 204)
      const cookie = (signedIn.headers.get("set-cookie") ?? "").split(";")[0]
      assert.strictEqual((yield* gateway.request("/auth/me", { headers: { cookie } })).status, 401)

      const audit = yield* gateway.request("/api/v1/tenants/acme/audit?limit=3", { token: tokens.admin })
      assert.deepStrictEqual(
        audit.json.items.map(({ action }: { action: string }) => action),
        ["user.removed", "session.signed-in", "link.issued"]
      )
      assert.deepInclude(audit.json.items[0].actor, { tenant: "acme", user: "ada", address: "127.0.0.1" })
      assert.notInclude(audit.text, added.json.link.secret)
    })
  )

  it.live("issue tokens in the page within the scopes of their sign-in, and see each secret once", () =>
    Effect.gen(function* () {
      const { gateway, tokens } = yield* people
      const signedIn = yield* gateway.request("/auth/token", { body: { token: tokens.person } })
      const headers = {
        cookie: (signedIn.headers.get("set-cookie") ?? "").split(";")[0],
        "x-csrf-token": signedIn.json.csrf as string
      }
      const create = (scopes: ReadonlyArray<string>) =>
        gateway.request("/api/v1/tokens", { headers, body: { label: "script", scopes, lifetimeSeconds: 60 } })
      const beyond = yield* create(["read", "admin"])
      assert.deepStrictEqual([beyond.status, beyond.json.code], [422, "scope_not_held"])
      const issued = yield* create(["read"])
      const secret = issued.json.secret as string
      assert.strictEqual((yield* gateway.request("/api/v1/sessions", { token: secret })).status, 200)
      assert.strictEqual((yield* gateway.request("/api/v1/sessions", { token: secret, body: {} })).status, 403)
      const listed = yield* gateway.request("/api/v1/tokens", { token: secret })
      assert.include(listed.text, tokenIdOf(secret))
      assert.notInclude(listed.text, secret.split("_").slice(3).join("_"))
      assert.notInclude(listed.text, tokenIdOf(tokens.admin))
      // A token can revoke itself, and no other token.
      const path = (token: string) => `/api/v1/tokens/${tokenIdOf(token)}`
      assert.strictEqual((yield* gateway.request(path(tokens.person), { method: "DELETE", token: secret })).status, 403)
      assert.strictEqual((yield* gateway.request(path(secret), { method: "DELETE", token: secret })).status, 204)
      assert.strictEqual((yield* gateway.request("/api/v1/sessions", { token: secret })).status, 401)
      // A signed-in user revokes their own tokens, and finds no others.
      assert.strictEqual((yield* gateway.request(path(tokens.admin), { method: "DELETE", headers })).status, 404)
    })
  )
})

describe("an admin", () => {
  it.live(
    "has no access to the sessions of users, and takes effect by revoking scopes",
    () =>
      Effect.gen(function* () {
        const { gateway, tokens } = yield* people
        const created = yield* gateway.request("/api/v1/sessions", { token: tokens.person, body: {} })
        for (const token of [tokens.admin, tokens.operator])
          assert.strictEqual((yield* gateway.request(`/api/v1/sessions/${created.json.id}`, { token })).status, 404)
        const path = "/api/v1/tenants/acme/users/ann"
        const changed = yield* gateway.request(path, {
          method: "PATCH",
          token: tokens.admin,
          body: { scopes: ["read"] }
        })
        assert.strictEqual(changed.status, 204)
        assert.strictEqual((yield* gateway.request("/api/v1/sessions", { token: tokens.person, body: {} })).status, 403)
      }),
    thoroughOnly
  )
})
