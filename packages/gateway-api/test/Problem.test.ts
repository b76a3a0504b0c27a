/** The problems say whether the same request can succeed later. */
import { Api, Problem } from "@bough/gateway-api"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as OpenApi from "effect/http-api/OpenApi"
import * as HttpServerRespondable from "effect/http/HttpServerRespondable"
import * as HttpServerResponse from "effect/http/HttpServerResponse"

const recoverable = new Set([
  "session_busy",
  "idempotency_in_progress",
  "rate_limited",
  "draining",
  "store_unavailable",
  "provider_unavailable"
])

interface ProblemSchema {
  readonly required: ReadonlyArray<string>
  readonly properties: { readonly code: { readonly enum: ReadonlyArray<string> } }
}

const schemas = OpenApi.fromApi(Api.Api).components.schemas as unknown as Readonly<Record<string, ProblemSchema>>

/** Each problem that a route declares, with each of its codes, as the API's document has them. */
const all = Problem.all.flatMap((problem) => {
  const schema = schemas[`${problem.identifier}Encoded`]
  return schema === undefined ? [] : [{ problem, schema, codes: schema.properties.code.enum }]
})

const bodyOf = (problem: HttpServerRespondable.Respondable) =>
  HttpServerRespondable.toResponse(problem).pipe(
    Effect.map(HttpServerResponse.toWeb),
    Effect.flatMap((response) => Effect.promise(async () => (await response.json()) as Record<string, unknown>))
  )

describe("a problem", () => {
  it("has the field in the API's document", () => {
    assert.isAbove(all.length, 10)
    for (const { problem, schema } of all) assert.include(schema.required, "recoverable", problem.identifier)
  })

  it.effect("says by its code whether the same request can succeed later", () =>
    Effect.gen(function* () {
      for (const { codes, problem } of all) {
        const make = problem as unknown as new (fields: object) => HttpServerRespondable.Respondable
        const more = problem === Problem.Unavailable ? { retryAfterSeconds: 1 } : {}
        for (const code of codes) {
          const body = yield* bodyOf(new make({ code, ...more }))
          assert.deepInclude(body, { code, recoverable: recoverable.has(code) })
        }
      }
    })
  )

  it.effect("says that a quota is free again if it names the time", () =>
    Effect.gen(function* () {
      const fields = { code: "quota_exceeded", quota: "moneyPerDay" } as const
      const [timed, untimed] = [
        yield* bodyOf(new Problem.TooManyRequests({ ...fields, retryAfterSeconds: 60 })),
        yield* bodyOf(new Problem.TooManyRequests(fields))
      ]
      assert.deepStrictEqual([timed["recoverable"], untimed["recoverable"]], [true, false])
    })
  )
})
