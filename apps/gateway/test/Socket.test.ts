/** The WebSocket has the frames of the stream of events, for users who may read them. */
import type { Frame } from "@bough/gateway-api"
import { Reply, ScriptedModel } from "@bough/runtime/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { events, untilReplied } from "./Events.ts"
import * as Gateway from "./Gateway.ts"

/** The frames of a socket up to that many entries; null: the handshake is refused. */
const take = (url: string, token: string, count: number) =>
  Effect.callback<ReadonlyArray<Frame.Frame> | null>((resume) => {
    const frames: Array<Frame.Frame> = []
    // Node's own client sends headers, which a browser's cannot.
    const options = { headers: { authorization: `Bearer ${token}` } } as unknown as string[]
    const socket = new WebSocket(url.replace("http:", "ws:"), options)
    socket.addEventListener("message", ({ data }) => {
      frames.push(JSON.parse(String(data)) as Frame.Frame)
      if (frames.filter(({ _tag }) => _tag === "Entry").length < count) return
      resume(Effect.succeed(frames))
    })
    socket.addEventListener("error", () => resume(Effect.succeed(null)))
    return Effect.sync(() => socket.close())
  })

describe("the socket of a session", () => {
  it.live("sends the frames of the event stream, from the requested position, to its user alone", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const scripted = yield* ScriptedModel.make([Reply.text("Hello")])
        const gateway = yield* Gateway.start({ model: () => scripted.model })
        const token = yield* Gateway.user(gateway, "acme/ada")
        const other = yield* Gateway.user(gateway, "acme/bob")
        const created = yield* gateway.request("/api/v1/sessions", { token, body: {} })
        const sessionId: string = created.json.id
        yield* gateway.request(`/api/v1/sessions/${sessionId}/messages`, { token, body: { text: "Hi" } })
        const streamed = (yield* untilReplied(gateway, { token, sessionId })).filter(({ id }) => id !== null)
        const address = `${gateway.url}/api/v1/sessions/${sessionId}/socket`
        const sent = (yield* take(address, token, streamed.length)) ?? []
        const entries = sent.filter(({ _tag }) => _tag === "Entry")
        assert.deepStrictEqual(
          entries,
          streamed.map(({ frame }) => frame)
        )
        const [first] = streamed
        const rest = (yield* take(`${address}?after=${first?.id}`, token, streamed.length - 1)) ?? []
        assert.deepStrictEqual(
          rest.filter(({ _tag }) => _tag === "Entry"),
          entries.slice(1)
        )
        // A new reader is told so before any event, and then reads the stored entries.
        const begun = yield* events(gateway, { token, sessionId, query: "?after=latest" }).pipe(
          Stream.take(1),
          Stream.runCollect
        )
        assert.deepStrictEqual(
          Array.from(begun, ({ frame }) => frame._tag),
          ["Heartbeat"]
        )
        assert.isNull(yield* take(address, other, 1))
        assert.isNull(yield* take(address, "wrong", 1))
      })
    )
  )
})
