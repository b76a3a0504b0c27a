/** Text written straight to the connection of a response: a client reads it like any other part of the body. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { once } from "node:events"
import { createServer, get, type IncomingMessage, type RequestListener } from "node:http"
import { type AddressInfo, connect } from "node:net"
import * as ResponseChunks from "../../src/events/ResponseChunks.ts"

const serve = (listener: RequestListener) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = createServer(listener)
      server.listen(0, "127.0.0.1")
      await once(server, "listening")
      return server
    }),
    (server) =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  ).pipe(Effect.map((server) => (server.address() as AddressInfo).port))

const read = async (response: IncomingMessage): Promise<string> => {
  let text = ""
  response.setEncoding("utf8")
  for await (const piece of response) text += String(piece)
  return text
}

const pieces = ["data: plain\n\n", "data: Zoë 🌳 \u0080\n\n", "x".repeat(300_000), "data: ÿ\n\n"]

/** Writes around and through the outlet; the second answer shows that the connection is still in step. */
const listener: RequestListener = (request, response) => {
  response.setHeader("content-type", "text/event-stream")
  response.write("before ")
  const write =
    request.url === "/plain" ? (text: string) => response.write(text) : ResponseChunks.outletOf(response).write
  const writeAll = (): void => {
    for (const piece of pieces) write(piece)
    response.end("after")
  }
  if (request.url === "/later") setImmediate(writeAll)
  else writeAll()
}

describe("ResponseChunks", () => {
  it.live("gives a client the same body, and keeps the connection in step", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const port = yield* serve(listener)
        for (const path of ["/now", "/later", "/plain", "/later", "/now"]) {
          const [response] = yield* Effect.promise(
            () => once(get({ port, path, host: "127.0.0.1" }), "response") as Promise<[IncomingMessage]>
          )
          const text = yield* Effect.promise(() => read(response))
          assert.strictEqual(text, `before ${pieces.join("")}after`, path)
        }
      })
    )
  )

  it.live("sends a client of HTTP/1.0 no chunks", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const port = yield* serve(listener)
        const text = yield* Effect.promise(async () => {
          const socket = connect(port, "127.0.0.1")
          socket.write("GET /later HTTP/1.0\r\n\r\n")
          let received = ""
          socket.setEncoding("utf8")
          for await (const piece of socket) received += String(piece)
          return received
        })
        assert.strictEqual(text.slice(text.indexOf("\r\n\r\n") + 4), `before ${pieces.join("")}after`)
      })
    )
  )

  it.live("keeps the order of a response that waits for an earlier one on its connection", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const waiting: Array<() => void> = []
        const port = yield* serve((request, response) => {
          if (request.url === "/first") waiting.push(() => response.end("first"))
          else {
            listener(request, response)
            setImmediate(() => setImmediate(() => waiting.forEach((end) => end())))
          }
        })
        const text = yield* Effect.promise(async () => {
          const socket = connect(port, "127.0.0.1")
          socket.write("GET /first HTTP/1.1\r\nhost: a\r\n\r\n")
          socket.write("GET /later HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n")
          let received = ""
          socket.setEncoding("utf8")
          for await (const piece of socket) received += String(piece)
          return received
        })
        const [head, first, second] = text.split("HTTP/1.1 200 OK")
        assert.strictEqual(head, "")
        assert.isTrue(first.includes("\r\nfirst"))
        assert.isTrue(second.includes(pieces[1]))
      })
    )
  )
})
