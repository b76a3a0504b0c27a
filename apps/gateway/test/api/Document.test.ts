/** The OpenAPI document: a linter accepts it, and the server's answers match it for any request. */
import { assert, describe, it } from "@effect/vitest"
import { createConfig, lintFromString } from "@redocly/openapi-core"
import * as Effect from "effect/Effect"
import { thoroughOnly } from "../../../../test/thorough.ts"
import { departure, document, operationOf, operations } from "./Document.ts"
import { fuzz } from "./fuzzGateway.ts"

describe("the OpenAPI document", () => {
  it.live("passes an OpenAPI linter without errors", () =>
    Effect.promise(async () => {
      const config = await createConfig({ extends: ["recommended"] })
      const problems = await lintFromString({ source: JSON.stringify(document), config })
      assert.deepStrictEqual(
        problems.filter(({ severity }) => severity === "error").map(({ message, ruleId }) => `${ruleId}: ${message}`),
        []
      )
    })
  )

  it("detects an answer with a wrong status, type or body", () => {
    const get = operationOf("GET", "/api/v1/sessions/ses_1?x=1")
    assert.strictEqual(get?.operationId, "sessions.get")
    assert.strictEqual(operationOf("GET", "/api/v1/sessions/search")?.operationId, "sessions.search")
    assert.isNull(operationOf("GET", "/v1/models"))
    if (get === null) return
    const json = { contentType: "application/json", text: "{}" }
    assert.include(departure(get, { ...json, status: 418 }) ?? "", "418")
    assert.include(departure(get, { status: 200, contentType: "text/html", text: "" }) ?? "", "text/html")
    assert.include(departure(get, { ...json, status: 200 }) ?? "", "required")
    const missing = { type: "about:blank", title: "Not Found", status: 404, code: "not_found", recoverable: false }
    const problem = { status: 404, contentType: "application/problem+json", text: JSON.stringify(missing) }
    assert.isNull(departure(get, problem))
  })

  it.live(
    "matches the answers to random requests of every operation, which cause no server error",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const { departures, succeeded } = yield* fuzz({ seed: 7, requests: operations.length * 5 })
          assert.deepStrictEqual(departures, [])
          // A run in which every request is refused would show little.
          assert.isAbove(succeeded.size, operations.length / 2)
        })
      ),
    thoroughOnly
  )
})
