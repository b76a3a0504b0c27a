/** Streams whose readers do not read, when the credential of those readers is revoked: over every protocol. */
import type { Model } from "@bough/runtime"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import * as Http from "node:http"
import { connect } from "node:net"
import * as Gateway from "../Gateway.ts"

/** More than the buffers of both sides of a socket. */
const [pieces, pieceLength] = [400, 65_536]

const model: Model.Model["Service"] = {
  name: "test/long",
  contextTokens: null,
  priced: false,
  stream: () =>
    Stream.concat(
      Stream.map(Stream.range(1, pieces), (): Model.ModelPart => ({
        _tag: "Text",
        text: "words ".padEnd(pieceLength, "x")
      })),
      Stream.never
    )
}

const user = { role: "user", content: "hi" }

/** Requests that are answered with the stream of a turn. */
const turns: Readonly<Record<string, unknown>> = {
  "/v1/responses": { model: "bough", input: "hi", stream: true },
  "/v1/chat/completions": { model: "bough", messages: [user], stream: true },
  "/api/chat": { id: "c", messages: [{ id: "m", role: "user", parts: [{ type: "text", text: "hi" }] }] },
  "/ag-ui": { threadId: "t", runId: "r", messages: [{ id: "m", ...user }], tools: [], context: [] }
}

interface Opening {
  readonly path: string
  readonly token: string
  readonly body?: unknown
}

/** Opens a stream and does not read it. */
const unread = ({ url }: Gateway.Gateway, { body, path, token }: Opening) =>
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<Http.IncomingMessage>((resolve, reject) => {
          const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
          const method = body === undefined ? "GET" : "POST"
          const request = Http.request(`${url}${path}`, { agent: false, headers, method }, resolve)
          request.on("error", reject).end(body === undefined ? undefined : JSON.stringify(body))
        })
    ),
    (response) => Effect.sync(() => response.destroy())
  )

/** Opens a WebSocket of frames and reads only its handshake. */
const unreadSocket = ({ url }: Gateway.Gateway, { path, token }: Opening) =>
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<ReturnType<typeof connect>>((resolve, reject) => {
          const { host, hostname, port } = new URL(url)
          const socket = connect(Number(port), hostname)
          socket.on("error", reject)
          socket.once("data", () => resolve(socket.pause()))
          socket.write(
            [
              `GET ${path} HTTP/1.1`,
              `Host: ${host}`,
              `Authorization: Bearer ${token}`,
              "Connection: Upgrade",
              "Upgrade: websocket",
              "Sec-WebSocket-Version: 13",
              "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
              "\r\n"
            ].join("\r\n")
          )
        })
    ),
    (socket) => Effect.sync(() => socket.destroy())
  )

describe("a stream that is not read", () => {
  it.live("is cut when its credential is revoked, over every protocol", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const gateway = yield* Gateway.start({ model: () => model })
        const [token, other] = [yield* Gateway.user(gateway, "acme/ann"), yield* Gateway.user(gateway, "acme/ann")]
        const operator = yield* Gateway.operator(gateway)
        const path = "/api/v1/sessions"
        const sessionId: string = (yield* gateway.request(path, { token: other, body: {} })).json.id
        // Opened at once: the gateway cuts a reader that does not read for a while.
        yield* Effect.all(
          [
            unread(gateway, { token, path: `${path}/${sessionId}/events` }),
            ...Object.entries(turns).map(([path, body]) => unread(gateway, { path, token, body })),
            unreadSocket(gateway, { token, path: `${path}/${sessionId}/socket` })
          ],
          { concurrency: "unbounded" }
        )
        const open = Effect.map(gateway.request("/metrics", { token: operator }), ({ text }) =>
          Number(/^bough_event_streams (\d+)$/mu.exec(text)?.[1])
        )
        const untilOpen = (expected: number) =>
          Effect.repeat(open, { until: (count) => count === expected, schedule: Schedule.spaced("50 millis") })
        yield* untilOpen(Object.keys(turns).length + 2)
        // A reader of events that falls behind is cut, so the message comes after the count.
        yield* gateway.request(`${path}/${sessionId}/messages`, { token: other, body: { text: "hi" } })
        // The server writes until the buffers of each connection are full.
        yield* Effect.sleep("2 seconds")
        const revoked = yield* gateway.request(`/api/v1/tokens/${token.split("_")[2]}`, {
          method: "DELETE",
          token: other
        })
        assert.strictEqual(revoked.status, 204)
        yield* untilOpen(0)
      })
    )
  )
})
