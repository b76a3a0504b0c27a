/** The configuration file: every key of the README is one, others and wrong values are named and refused. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as AuthSettingsModule from "../../src/auth/AuthSettings.ts"
import * as GatewayConfig from "../../src/config/GatewayConfig.ts"
import { temporaryFolder } from "../accounts/database.ts"
import { runIn } from "../commands/CommandLine.ts"

const reasonOf = (value: unknown) =>
  Effect.map(
    Effect.flip(GatewayConfig.fromText("gateway.json", typeof value === "string" ? value : JSON.stringify(value))),
    ({ message }) => message
  )

const openid = { issuer: "https://id.test", clientId: "bough", tenant: "acme", scopes: ["read"] }

describe("GatewayConfig", () => {
  it.effect("accepts the documented keys", () =>
    Effect.gen(function* () {
      const value = {
        $schema: "./gateway.schema.json",
        host: "0.0.0.0",
        port: 8642,
        access: {
          publicUrl: "https://agents.example.org/bough",
          allowedHosts: ["gateway.internal:8642"],
          allowedOrigins: ["https://front.example.org"],
          trustedProxies: ["10.0.0.0/8", "::1", "192.0.2.1"],
          rateLimits: { perToken: { burst: 10, perSecond: 0.5 } },
          cookieHours: 8,
          openid: { ...openid, clientSecretVariable: "SECRET", addUsers: true, requiredClaims: { groups: "staff" } }
        }
      }
      assert.deepEqual(yield* GatewayConfig.fromText("gateway.json", JSON.stringify(value)), value as never)
      assert.deepEqual(yield* GatewayConfig.fromText("gateway.json", "{}"), {})
    })
  )

  it.effect("names invalid values, and repeats none", () =>
    Effect.gen(function* () {
      for (const [value, key] of [
        [{ port: 99_999 }, "port"],
        [{ ports: 1 }, "ports"],
        [{ access: { publicUrl: "agents.example.org" } }, "access.publicUrl"],
        [{ access: { publicUrl: "javascript:alert(1)" } }, "access.publicUrl"],
        [{ access: { allowedOrigins: ["https://a.test/path"] } }, "access.allowedOrigins.0"],
        [{ access: { allowedOrigins: ["*"] } }, "access.allowedOrigins.0"],
        [{ access: { trustedProxies: ["10.0.0.0/40"] } }, "access.trustedProxies.0"],
        [{ access: { rateLimits: { perToken: { burst: 0, perSecond: 1 } } } }, "access.rateLimits.perToken.burst"],
        [{ access: { openid: { ...openid, tenant: "../up" } } }, "access.openid.tenant"],
        [{ access: { openid: { ...openid, scopes: ["root"] } } }, "access.openid.scopes.0"],
        [{ access: { openid: { ...openid, clientSecret: "hunter2" } } }, "access.openid.clientSecret"]
      ] as const)
        assert.include(yield* reasonOf(value), `gateway.json: ${key}: `)
      assert.include(yield* reasonOf("{"), "is not JSON")
      assert.notInclude(yield* reasonOf({ access: { openid: { ...openid, clientSecret: "hunter2" } } }), "hunter2")
    })
  )

  it.live("is read from the data folder or the flag, and fails the start if it is invalid", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const served = runIn(folder)
      assert.include((yield* served()).error ?? "", "serve null 127.0.0.1:8642")
      writeFileSync(join(folder, "gateway.json"), JSON.stringify({ port: 1, access: { publicUrl: "https://a.test" } }))
      assert.include((yield* served()).error ?? "", "serve https://a.test 127.0.0.1:1")
      assert.include((yield* served("--port", "2", "--host", "::1")).error ?? "", "serve https://a.test ::1:2")
      writeFileSync(join(folder, "other.json"), "{}")
      assert.include((yield* served("--config", join(folder, "other.json"))).error ?? "", "serve null 127.0.0.1:8642")
      assert.include((yield* served("--config", join(folder, "missing.json"))).error ?? "", "cannot be read")
      writeFileSync(join(folder, "gateway.json"), '{"port":"x"}')
      assert.include((yield* served()).error ?? "", "port: ")
    })
  )

  it.live("has a JSON Schema that the command prints, with every key and its meaning", () =>
    Effect.gen(function* () {
      const { stdout } = yield* runIn(yield* temporaryFolder)("schema")
      const document = JSON.parse(stdout) as {
        readonly $ref: string
        readonly $defs: Readonly<Record<string, { additionalProperties: boolean; properties: object }>>
      }
      const schema = document.$defs[document.$ref.replace("#/$defs/", "")] ?? assert.fail(stdout.slice(0, 200))
      assert.isFalse(schema.additionalProperties)
      assert.deepStrictEqual(
        Object.keys(schema.properties).toSorted(),
        Object.keys(GatewayConfig.GatewayConfig.fields).toSorted()
      )
    })
  )

  it("has every key in the README", () => {
    const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8")
    const { AuthSettings, OpenIdSettings, RateLimit } = AuthSettingsModule
    const keys = [GatewayConfig.GatewayConfig, AuthSettings, OpenIdSettings, RateLimit].flatMap(({ fields }) =>
      Object.keys(fields)
    )
    assert.isAbove(keys.length, 15)
    assert.deepStrictEqual(
      keys.filter((key) => key !== "$schema" && !readme.includes(key)),
      []
    )
  })
})
