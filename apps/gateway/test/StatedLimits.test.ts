/** Each limit that the reference states, at the running server: its last allowed value, and the first refused one. */
import { Limits } from "@bough/gateway-api"
import { Reply, ScriptedModel } from "@bough/runtime/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { connect } from "node:net"
import { thoroughOnly } from "../../../test/thorough.ts"
import { entriesOf, events, untilReplied } from "./Events.ts"
import { pixel, upload } from "./Files.ts"
import * as Gateway from "./Gateway.ts"

const { limits } = Limits
const sessions = "/api/v1/sessions"

const started = Effect.fnUntraced(function* (replies: ReadonlyArray<Reply.Reply> = []) {
  const scripted = yield* ScriptedModel.make(replies)
  const gateway = yield* Gateway.start({ model: () => scripted.model })
  const token = yield* Gateway.user(gateway, "acme/ada")
  const call = (path: string, request: Gateway.Request = {}) => gateway.request(path, { token, ...request })
  const sessionId: string = (yield* call(sessions, { body: {} })).json.id
  return { gateway, token, call, sessionId, session: `${sessions}/${sessionId}` }
})

/** A JSON body with exactly that number of bytes. */
const bodyOf = (bytes: number): string => JSON.stringify({ agent: "x".repeat(bytes - '{"agent":""}'.length) })

/** Sends the beginning of a request and returns what the server sends until it closes the connection. */
const unfinished = (url: string, text: string) =>
  Effect.callback<string>((resume) => {
    const { hostname, port } = new URL(url)
    let received = ""
    const socket = connect(Number(port), hostname, () => void socket.write(text))
    socket.on("data", (chunk) => (received += String(chunk)))
    socket.on("error", () => {})
    socket.on("close", () => resume(Effect.succeed(received)))
    return Effect.sync(() => socket.destroy())
  })

describe("stated limits", () => {
  it.live("of bodies, keys, titles and pages are exact to the byte and the row", () =>
    Effect.gen(function* () {
      const { call, session } = yield* started()
      const keyed = (length: number) => ({ body: {}, headers: { "idempotency-key": "k".repeat(length) } })
      const title = (length: number) => ({ method: "PATCH", body: { title: "t".repeat(length) } })
      for (const [path, allowed, refused, code] of [
        [sessions, keyed(limits.idempotencyKeyLength), keyed(limits.idempotencyKeyLength + 1), "invalid_request"],
        [session, title(limits.titleLength), title(limits.titleLength + 1), "invalid_request"]
      ] as const) {
        assert.isBelow((yield* call(path, allowed)).status, 300)
        const answer = yield* call(path, refused)
        assert.deepStrictEqual([answer.status, answer.json.code], [400, code], path)
      }
      // A body of the largest size is read, and then refused for its field.
      const read = yield* call(sessions, { body: bodyOf(limits.bodyBytes) })
      assert.deepStrictEqual([read.status, read.json.code], [400, "invalid_request"])
      const large = yield* call(sessions, { body: bodyOf(limits.bodyBytes + 1) })
      assert.deepStrictEqual([large.status, large.json.code], [413, "payload_too_large"])
      for (const [path, most] of [
        [`${sessions}?limit=`, limits.pageSize],
        [`${session}/entries?limit=`, limits.pageSize],
        [`${session}/attachments?limit=`, limits.pageSize],
        [`${session}/changes?limit=`, limits.changesPageSize]
      ] as const) {
        assert.strictEqual((yield* call(`${path}${most}`)).status, 200)
        assert.strictEqual((yield* call(`${path}${most + 1}`)).status, 400, path)
      }
    })
  )

  it.live("of webhooks count those of a user, and the characters of an address", () =>
    Effect.gen(function* () {
      const { call } = yield* started()
      const create = (url: string) => call("/api/v1/webhooks", { body: { url, events: ["session.ended"] } })
      const address = (length: number) => "https://93.184.216.34/".padEnd(length, "a")
      assert.strictEqual((yield* create(address(limits.webhookUrlLength + 1))).status, 400)
      for (let count = 0; count < limits.webhooksPerUser; count++) {
        assert.strictEqual((yield* create(address(limits.webhookUrlLength))).status, 201)
      }
      const over = yield* create(address(30))
      assert.deepStrictEqual([over.status, over.json.code, over.json.quota], [429, "quota_exceeded", "webhooks"])
    })
  )

  it.live("of a message's attachments bound their number, and the bytes that the model is shown", () =>
    Effect.gen(function* () {
      const { call, gateway, session, sessionId, token } = yield* started([Reply.text("Seen")])
      const image = (bytes: number) =>
        Effect.map(
          upload(gateway, `${session}/attachments?name=${bytes}.png`, {
            token,
            body: Buffer.concat([pixel, Buffer.alloc(bytes - pixel.length)])
          }),
          ({ json }): string => json.id
        )
      const attachments = [yield* image(limits.messageImageBytes + 1), yield* image(limits.messageImageBytes)]
      const many = Array.from({ length: limits.attachmentsPerMessage + 1 }, () => attachments[0])
      const over = yield* call(`${session}/messages`, { body: { text: "all", attachments: many } })
      assert.strictEqual(over.status, 400)
      yield* call(`${session}/messages`, { body: { text: "both", attachments } })
      const frames = yield* untilReplied(gateway, { token, sessionId })
      const sent = entriesOf(frames).flatMap(({ body }) => (body._tag === "UserMessage" ? [body] : []))
      assert.lengthOf(sent, 1)
      assert.lengthOf(sent[0]?.media ?? [], 1)
      assert.include(sent[0]?.text ?? "", `(image/png, ${limits.messageImageBytes + 1} bytes)`)
    })
  )

  it.live("of a diff cut it at the end of a line, and say so", () =>
    Effect.gen(function* () {
      const line = "0123456789".repeat(9)
      const content = `${line}\n`.repeat(Math.ceil(limits.diffCharacters / line.length))
      const { call, gateway, session, sessionId, token } = yield* started([
        Reply.toolCall("write_file", { path: "long.txt", content }),
        Reply.toolCall("write_file", { path: "short.txt", content: line }),
        Reply.text("Done")
      ])
      yield* call(`${session}/messages`, { body: { text: "write" } })
      yield* untilReplied(gateway, { token, sessionId })
      const { items } = (yield* call(`${session}/changes`)).json as {
        readonly items: ReadonlyArray<{ readonly diff: string; readonly truncated: boolean }>
      }
      assert.deepStrictEqual(
        items.map(({ truncated }) => truncated),
        [true, false]
      )
      const cut = items[0]?.diff ?? ""
      assert.isAtMost(cut.length, limits.diffCharacters)
      assert.isAbove(cut.length, limits.diffCharacters - line.length - 3)
      assert.isTrue(cut.endsWith(`+${line}\n`))
    })
  )

  it.live(
    "of time end a request without headers or the rest of its body, and send heartbeats to a stream without frames",
    () =>
      Effect.gen(function* () {
        const { gateway, sessionId, token } = yield* started()
        const beginning = `GET /health HTTP/1.1\r\nHost: ${new URL(gateway.url).host}\r\n`
        const beats = events(gateway, { token, sessionId, query: "?after=latest" }).pipe(
          Stream.filter(({ frame }) => frame._tag === "Heartbeat"),
          // The first one says that the stream is open.
          Stream.take(2),
          Stream.runCollect
        )
        const { host } = new URL(gateway.url)
        const upload =
          `POST /api/v1/sessions HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n` +
          `Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`
        const startedAtMillis = performance.now()
        const [received, uploaded, heartbeats] = yield* Effect.all(
          [unfinished(gateway.url, beginning), unfinished(gateway.url, upload), beats],
          { concurrency: "unbounded" }
        )
        assert.match(received, /^HTTP\/1\.1 408 /u)
        assert.match(uploaded, /^HTTP\/1\.1 408 /u)
        assert.isAtLeast(performance.now() - startedAtMillis, limits.requestMillis)
        assert.lengthOf(heartbeats, 2)
      }),
    thoroughOnly
  )
})
