/** Rules that hold for every endpoint of the API. */
import { Api, Authorization } from "@bough/gateway-api"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as HttpApi from "effect/http-api/HttpApi"
import * as OpenApi from "effect/http-api/OpenApi"

interface FoundEndpoint {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly scope: Authorization.Scope | "any" | null
  readonly isGuarded: boolean
}

const endpoints = (): ReadonlyArray<FoundEndpoint> => {
  const found: Array<FoundEndpoint> = []
  HttpApi.reflect(Api.Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group, middleware }) => {
      const isSet = endpoint.annotations.mapUnsafe.has(Authorization.RequiredScope.key)
      found.push({
        name: `${group.identifier}.${endpoint.identifier}`,
        method: endpoint.method,
        path: endpoint.path,
        scope: isSet ? Context.get(endpoint.annotations, Authorization.RequiredScope) : null,
        isGuarded: [...middleware].some(({ key }) => key === Authorization.Authorization.key)
      })
    }
  })
  return found
}

const open = new Set(["/health", "/ready", "/auth/methods", "/auth/link", "/auth/token", "/auth/openid"])

describe("the API", () => {
  it("needs a credential for everything but health, readiness and signing in", () => {
    assert.deepStrictEqual(
      endpoints()
        .filter(({ isGuarded, path }) => isGuarded === open.has(path))
        .map(({ name }) => name),
      []
    )
  })

  it("names the scope of every endpoint, and lets no read-only token change data", () => {
    const guarded = endpoints().filter(({ isGuarded }) => isGuarded)
    assert.isAbove(guarded.length, 10)
    assert.deepStrictEqual(
      guarded.filter(({ method, scope }) => scope === null || (method === "GET" ? scope === "chat" : scope === "read")),
      []
    )
  })

  it("is an OpenAPI 3.1 document", () => {
    const document = OpenApi.fromApi(Api.Api)
    assert.match(document.openapi, /^3\.1/u)
    assert.strictEqual(Object.values(document.paths).flatMap((path) => Object.keys(path)).length, endpoints().length)
  })
})
