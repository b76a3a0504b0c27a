/** `http_get` and `http_request`: the approvals, the requests and the responses. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { IncomingMessage } from "node:http"
import { HttpGet, HttpRequest, WebFetch } from "../src/index.ts"
import * as Harness from "./Harness.ts"

/** Answers with the request. */
const echo = Effect.gen(function* () {
  const requests: Array<IncomingMessage> = []
  const port = yield* Harness.serve((request, response) => {
    requests.push(request)
    const parts: Array<Buffer> = []
    request.on("data", (part: Buffer) => parts.push(part))
    request.on("end", () =>
      response
        .writeHead(201, { "content-type": "application/json", "set-cookie": "id=1", "x-powered-by": "pedals" })
        .end(JSON.stringify({ method: request.method, body: Buffer.concat(parts).toString() }))
    )
  })
  return { port, requests, url: `http://127.0.0.1:${port}/things` }
})

describe("http_get", () => {
  it.live("an answer is returned unchanged, with its informative headers", () =>
    Effect.gen(function* () {
      const { port, url } = yield* echo
      const { output } = yield* Harness.caller([port]).call(HttpGet, { url, headers: { Accept: "application/json" } })
      assert.strictEqual(output.status, 201)
      assert.deepStrictEqual(output.headers, { "content-type": "application/json" })
      assert.strictEqual(output.text, '{"method":"GET","body":""}')
    })
  )

  it.live("a service on this machine needs an approval, and is reachable once it is given", () =>
    Effect.gen(function* () {
      const { port, requests, url } = yield* echo
      const { call, classify, preview } = Harness.caller([])
      const { grants = [], reason, tier } = yield* classify(HttpGet, { url })
      assert.strictEqual(tier, "Elevated")
      assert.match(reason ?? "", /^127\.0\.0\.1, this machine$/)
      assert.deepStrictEqual(grants, [{ _tag: "Host", host: "127.0.0.1", port }])
      assert.include(yield* preview(HttpGet, { url }), `to 127.0.0.1, port ${port} (127.0.0.1, this machine)`)
      assert.match(yield* Harness.refusal(call(HttpGet, { url })), /^PermissionDenied PrivateAddress: /)
      assert.strictEqual(requests.length, 0)
      assert.strictEqual((yield* call(HttpGet, { url }, grants)).output.status, 201)
    })
  )

  it.live("a metadata address is refused without an approval request", () =>
    Effect.gen(function* () {
      const { classify } = Harness.caller([])
      const url = "http://169.254.169.254/latest/meta-data/"
      assert.match(yield* Harness.refusal(classify(HttpGet, { url })), /^PermissionDenied PrivateAddress: /)
      assert.match(
        yield* Harness.refusal(classify(HttpRequest, { method: "PUT", url })),
        /^PermissionDenied PrivateAddress: /
      )
    })
  )
})

describe("web_fetch", () => {
  it.live("a page on this machine is refused, without an approval request", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* echo
      const { call, classify } = Harness.caller([])
      assert.strictEqual((yield* classify(WebFetch, { url })).tier, "ReadOnly")
      assert.match(yield* Harness.refusal(call(WebFetch, { url })), /^PermissionDenied PrivateAddress: /)
      assert.strictEqual(requests.length, 0)
    })
  )
})

describe("http_request", () => {
  const input = { headers: { "Content-Type": "application/json", "X-Trace": "t0p" }, body: '{"a":\n1}' }

  it.live("the entire request is sent unchanged, once, and recorded as an artifact", () =>
    Effect.gen(function* () {
      const { port, requests, url } = yield* echo
      const { artifacts, output } = yield* Harness.caller([port]).call(HttpRequest, { method: "PATCH", url, ...input })
      assert.deepStrictEqual(JSON.parse(output.text ?? ""), { method: "PATCH", body: input.body })
      assert.strictEqual(requests[0].headers["x-trace"], "t0p")
      assert.deepStrictEqual(artifacts, [{ _tag: "RequestSent", method: "PATCH", url, status: 201 }])
      assert.strictEqual(requests.length, 1)
    })
  )

  it.live("a user is shown the entire request before it is sent", () =>
    Effect.gen(function* () {
      const { port, requests } = yield* echo
      const { classify, preview } = Harness.caller([port])
      const request = { method: "POST", url: `http://0x7f.1:${port}/a/../b`, ...input } as const
      assert.strictEqual((yield* classify(HttpRequest, request)).tier, "System")
      assert.strictEqual(
        yield* preview(HttpRequest, request),
        `to 127.0.0.1, port ${port}\n\nPOST http://127.0.0.1:${port}/b\nContent-Type: application/json\n` +
          'X-Trace: t0p\n\n{"a":\n1}\n'
      )
      assert.strictEqual(requests.length, 0)
    })
  )

  it.live("a redirect is an answer: no request goes to a second place", () =>
    Effect.gen(function* () {
      const second = yield* echo
      const port = yield* Harness.serve((_, response) => response.writeHead(307, { location: second.url }).end())
      const { call } = Harness.caller([port, second.port])
      const { output } = yield* call(HttpRequest, { method: "POST", url: `http://127.0.0.1:${port}/`, ...input })
      assert.deepInclude(output, { status: 307, headers: { location: second.url } })
      assert.strictEqual(second.requests.length, 0)
    })
  )

  it.live("a binary body is reported by its size alone", () =>
    Effect.gen(function* () {
      const port = yield* Harness.serve((_, response) =>
        response.setHeader("content-type", "image/png").end(Buffer.from([137, 80, 78, 71, 0]))
      )
      const { output } = yield* Harness.caller([port]).call(HttpGet, { url: `http://127.0.0.1:${port}/` })
      assert.strictEqual(output.totalBytes, 5)
      assert.notProperty(output, "text")
    })
  )
})
