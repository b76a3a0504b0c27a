/** Servers over HTTP: the streamable transport, the older one, and a server that cannot be reached. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Servers from "../../src/client/Servers.ts"
import type { HttpTransport } from "../../src/ServerConfig.ts"
import { calling } from "../calling.ts"
import { type HttpServer, moved, sseOnly, streamable, withSessions } from "../servers/http.ts"
import { ports, server } from "../World.ts"

const running = <S extends HttpServer>(start: () => Promise<S>) =>
  Effect.acquireRelease(Effect.promise(start), ({ close }) => Effect.promise(close))

const open = Effect.fnUntraced(function* (url: string, more: Partial<HttpTransport> = {}) {
  const world = ports()
  const remote = server("remote", { _tag: "Http", url, headers: {}, protocol: "Any", ...more })
  const servers = yield* Servers.make({ servers: [remote], workspaceRoot: "/", ports: world })
  yield* servers.settled
  return { servers, world }
})

describe("servers by HTTP", () => {
  it.live("are called over the streamable transport, with the configured headers", () =>
    Effect.gen(function* () {
      const { headers, url } = yield* running(streamable)
      const { servers } = yield* open(url, { headers: { Authorization: "Bearer sesame" } })
      assert.strictEqual((yield* calling(servers)("remote__add", { a: 20, b: 22 })).output.text, "42")
      assert.isAbove(headers.length, 2)
      assert.isTrue(headers.every(({ authorization }) => authorization === "Bearer sesame"))
    }).pipe(Effect.scoped)
  )

  it.live.each(["Any", "Streamable", "Sse"] as const)(
    "are not followed to another origin, which would get their headers and arguments (%s)",
    (protocol) =>
      Effect.gen(function* () {
        const inner = yield* running(protocol === "Sse" ? sseOnly : streamable)
        const { url } = yield* running(() => moved(inner.url))
        const { servers } = yield* open(url, { protocol, headers: { "X-Key": "sesame" } })
        assert.strictEqual(servers.states()[0]?.status, "failed")
        assert.deepStrictEqual(inner.methods, [])
      }).pipe(Effect.scoped)
  )

  it.live("are told that the session has ended", () =>
    Effect.gen(function* () {
      const { methods, open: sessions, url } = yield* running(withSessions)
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { servers } = yield* open(url)
          assert.strictEqual((yield* calling(servers)("remote__add", { a: 20, b: 22 })).output.text, "42")
          assert.strictEqual(sessions(), 1)
        })
      )
      assert.deepStrictEqual([methods.at(-1), sessions()], ["DELETE", 0])
    }).pipe(Effect.scoped)
  )

  it.live("are called over the older transport if they support no other", () =>
    Effect.gen(function* () {
      const { headers, url } = yield* running(sseOnly)
      const { servers } = yield* open(url, { headers: { "X-Key": "sesame" } })
      assert.strictEqual((yield* calling(servers)("remote__add", { a: 20, b: 22 })).output.text, "42")
      assert.isTrue(headers.every((each) => each["x-key"] === "sesame"))
    }).pipe(Effect.scoped)
  )

  it.live("that are unreachable are reported in a line", () =>
    Effect.gen(function* () {
      const { close, url } = yield* Effect.promise(streamable)
      yield* Effect.promise(close)
      const { servers, world } = yield* open(url)
      assert.strictEqual(servers.states()[0]?.status, "failed")
      assert.strictEqual(world.notices.length, 1)
      assert.match(world.notices[0] ?? "", /^MCP server remote is unavailable and will be retried: .*ECONNREFUSED/u)
    }).pipe(Effect.scoped)
  )

  it.live("declare the host of the server as the destination of a call, so that a private session asks first", () =>
    Effect.gen(function* () {
      const { url } = yield* running(streamable)
      const { servers } = yield* open(url)
      const { egress } = calling(servers).tool("remote__add")
      assert.strictEqual(egress?.address?.({}), url)
      assert.deepStrictEqual(egress?.texts?.({ a: 1 }), ['{"a":1}'])
    }).pipe(Effect.scoped)
  )
})
