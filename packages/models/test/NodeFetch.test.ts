/** Tests of the small `fetch` that provider packages get, over real sockets. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
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

  it.live("keeps characters whole that come in two pieces", () =>
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

  it.live("fails with ETIMEDOUT when the server says nothing for long, before its answer and inside it", () =>
    Effect.gen(function* () {
      const server = yield* ChatServer.start((response, _, index) => {
        if (index === 1) response.writeHead(200).write("begun")
      })
      const fetch = NodeFetch.make(NodeFetch.sender({ idleMillis: 50 }))
      assert.strictEqual((yield* caught(fetch(server.baseUrl)))?.code, "ETIMEDOUT")
      const response = yield* Effect.promise(() => fetch(server.baseUrl))
      assert.isNotNull(yield* caught(response.text()))
    })
  )

  it.live("fails with the abort when its signal is aborted before it began", () =>
    Effect.gen(function* () {
      const server = yield* ChatServer.start(() => {})
      const signal = AbortSignal.abort()
      const error = yield* caught(NodeFetch.make(NodeFetch.sender({ idleMillis: 10_000 }))(server.baseUrl, { signal }))
      assert.strictEqual(error?.name, "AbortError")
      assert.strictEqual(server.received.length, 0)
    })
  )
})
