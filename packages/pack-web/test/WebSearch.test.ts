import { Providers, type Search } from "@bough/network"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { IncomingMessage } from "node:http"
import { WebSearch } from "../src/index.ts"
import * as Harness from "./Harness.ts"
import { answers } from "./searchAnswers.ts"

const key = "key-5d10"

/** One provider's search, with a server on loopback in the provider's place. */
const searched = Effect.fnUntraced(function* (
  provider: Providers.Name,
  answer: { readonly status: number; readonly body: string },
  settings: Partial<Search.Settings> = {}
) {
  const requests: Array<{ readonly request: IncomingMessage; readonly body: string }> = []
  const port = yield* Harness.serve((request, response) => {
    const parts: Array<Buffer> = []
    request.on("data", (part: Buffer) => parts.push(part))
    request.on("end", () => {
      requests.push({ request, body: Buffer.concat(parts).toString() })
      response.writeHead(answer.status).end(answer.body)
    })
  })
  const search: Search.Settings = {
    provider,
    endpoint: `http://127.0.0.1:${port}/search`,
    key: Redacted.make(key),
    engine: "engine-1",
    ...settings
  }
  const { call } = Harness.caller([], { search })
  return { asked: requests, call: call(WebSearch, { query: "bent rivers & roads", limit: 2 }) }
})

describe("web_search", () => {
  it("has a sample of every provider", () => {
    assert.deepStrictEqual(Object.keys(answers).toSorted(), Providers.names.toSorted())
  })

  for (const provider of Providers.names) {
    it.live(`${provider} gets its own request format, and its answer is parsed`, () =>
      Effect.gen(function* () {
        const { asks, body } = answers[provider]
        const { asked, call } = yield* searched(provider, { status: 200, body })
        const { display, output } = yield* call
        assert.deepStrictEqual(output.results, [
          { title: "Bends & bows", url: "https://rivers.test/bends?a=1&b=2", snippet: "Why rivers bend" },
          { title: "Roads", url: "https://roads.test/", snippet: "" }
        ])
        assert.match(display, /^Found 2 pages with /)
        const { body: sent, request } = asked[0]
        const whole = `${request.method} ${request.url}\n${JSON.stringify(request.headers)}\n${sent}`
        for (const part of asks) assert.include(whole, part)
        assert.notInclude(JSON.stringify(output), key)
      })
    )

    it.live(`${provider} with a wrong key, a rate limit or an invalid page is one line without the key`, () =>
      Effect.gen(function* () {
        for (const [status, body, words] of [
          [401, `bad key ${key}`, /answered 401: the key was not accepted$/],
          [429, "", /answered 429: too many searches for now$/],
          [302, "", /answered 302$/],
          [200, `<html>are you a robot? ${key}</html>`, /answered in a form that is not its own$/]
        ] as const) {
          const { call } = yield* searched(provider, { status, body })
          const refusal = yield* Harness.refusal(call)
          assert.match(refusal, /^ExecutionError Search: /)
          assert.match(refusal, words)
          assert.notInclude(refusal, key)
        }
      })
    )
  }

  it.live("without a provider the answer names the settings to configure", () =>
    Effect.gen(function* () {
      const refusal = yield* Harness.refusal(Harness.caller([]).call(WebSearch, { query: "x" }))
      assert.match(
        refusal,
        /^ExecutionError Search: no search provider is configured \(set search\.provider to one of /
      )
      for (const name of Providers.names) assert.include(refusal, name)
    })
  )

  it.live("unsupported options of a provider are named", () =>
    Effect.gen(function* () {
      const refusalOf = (search: Search.Settings) =>
        Harness.refusal(Harness.caller([], { search }).call(WebSearch, { query: "x" }))
      assert.include(yield* refusalOf({ provider: "brave" }), "Brave needs search.key configured")
      assert.include(yield* refusalOf({ provider: "google" }), "Google needs search.key and search.engine configured")
      assert.include(yield* refusalOf({ provider: "searxng" }), "SearXNG needs search.endpoint configured")
      assert.include(
        yield* refusalOf({ provider: "searxng", endpoint: "file:///etc" }),
        "search.endpoint of SearXNG: Scheme"
      )
    })
  )
})
