/** Tests of the small `fetch` that provider packages get, over real sockets. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as http from "node:http"
import * as NodeFetch from "../src/NodeFetch.ts"
import * as ChatServer from "./ChatServer.ts"

const json = { hello: "wörld" }

const caught = (promise: Promise<unknown>) =>
  Effect.promise(() =>
    promise.then(
      () => null,
      (error: NodeJS.ErrnoException) => error
    )
  )

describe("NodeFetch", () => {
  it.live("gives status, headers and body of an answer, whatever the status", () =>
    Effect.gen(function* () {
      const server = yield* ChatServer.start(ChatServer.status(418, json, { "x-a": "1", "set-cookie": "b" }))
      const fetch = NodeFetch.make(NodeFetch.sender({ idleMillis: 10_000 }))
      const response = yield* Effect.promise(() => fetch(`${server.baseUrl}/x`))
      assert.isFalse(response.ok)
      assert.strictEqual(response.status, 418)
      assert.strictEqual(response.headers.get("x-a"), "1")
      assert.strictEqual(Object.fromEntries(response.headers)["set-cookie"], "b")
      assert.deepStrictEqual(yield* Effect.promise(() => response.json()), json)
      assert.strictEqual(server.received[0].headers["accept-encoding"], "identity")
    })
  )

  it.live("reaches other machines through the proxy that the environment names, and this one without it", () =>
    Effect.gen(function* () {
      const proxy = yield* ChatServer.start(ChatServer.status(200, json))
      const server = yield* ChatServer.start(ChatServer.status(200, json))
      const environment = { HTTP_PROXY: new URL(proxy.baseUrl).origin, no_proxy: "near.example" }
      const fetch = NodeFetch.make(NodeFetch.sender({ idleMillis: 10_000, environment }))
      const far = yield* Effect.promise(() => fetch("http://models.example/v1/models"))
      assert.deepStrictEqual(yield* Effect.promise(() => far.json()), json)
      assert.deepStrictEqual(
        proxy.received.map(({ path }) => path),
        ["http://models.example/v1/models"]
      )
      yield* Effect.promise(() => fetch(server.baseUrl))
      assert.strictEqual(server.received.length, 1)
      assert.isNotNull(yield* caught(fetch("http://near.example:1/")))
      assert.strictEqual(proxy.received.length, 1)
    })
  )

  it.live("opens a tunnel for TLS at the proxy that the environment names", () =>
    Effect.gen(function* () {
      const requested: Array<string> = []
      const proxy = yield* Effect.acquireRelease(
        Effect.callback<http.Server>((resume) => {
          const made = http.createServer().on("connect", (request, socket) => {
            requested.push(request.url ?? "")
            socket.end("HTTP/1.1 403 Forbidden\r\n\r\n")
          })
          made.listen(0, "127.0.0.1", () => resume(Effect.succeed(made)))
        }),
        (made) => Effect.sync(() => made.close())
      )
      const address = proxy.address()
      assert.isObject(address)
      const environment = { https_proxy: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}` }
      const fetch = NodeFetch.make(NodeFetch.sender({ idleMillis: 10_000, environment }))
      assert.isNotNull(yield* caught(fetch("https://models.example/v1")))
      assert.deepStrictEqual(requested, ["models.example:443"])
    })
  )

  it.live("decodes characters that are split between two chunks", () =>
    Effect.gen(function* () {
      const bytes = Buffer.from("a€b")
      const server = yield* ChatServer.start((response) => {
        response.writeHead(200)
        response.write(bytes.subarray(0, 2), () => response.end(bytes.subarray(2)))
      })
      const response = yield* Effect.promise(() =>
        NodeFetch.make(NodeFetch.sender({ idleMillis: 10_000 }))(server.baseUrl)
      )
      assert.strictEqual(yield* Effect.promise(() => response.text()), "a€b")
    })
  )

  it.live("fails with ETIMEDOUT when the server stalls, before its answer and inside it", () =>
    Effect.gen(function* () {
      const server = yield* ChatServer.start((response, _, index) => {
        if (index === 1) response.writeHead(200).write("begun")
      })
      const fetch = NodeFetch.make(NodeFetch.sender({ idleMillis: 50 }))
      assert.strictEqual((yield* caught(fetch(server.baseUrl)))?.code, "ETIMEDOUT")
      // Long enough for the headers of the answer.
      const patient = NodeFetch.make(NodeFetch.sender({ idleMillis: 2_000 }))
      const response = yield* Effect.promise(() => patient(server.baseUrl))
      assert.isNotNull(yield* caught(response.text()))
    })
  )

  it.live("fails with the abort when its signal is aborted before it starts", () =>
    Effect.gen(function* () {
      const server = yield* ChatServer.start(() => {})
      const signal = AbortSignal.abort()
      const error = yield* caught(NodeFetch.make(NodeFetch.sender({ idleMillis: 10_000 }))(server.baseUrl, { signal }))
      assert.strictEqual(error?.name, "AbortError")
      assert.strictEqual(server.received.length, 0)
    })
  )
})
