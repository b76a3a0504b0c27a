/**
 * The hosts that a command reaches through its proxy: real sockets, a name server and sites of this test's own on
 * loopback.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { createServer, type Server } from "node:net"
import { attacks } from "./attacks.ts"
import { hello, withExtension } from "./hello.ts"
import { get, open, speak, statusOf } from "./ProxyWorld.ts"

const headOf = (answer: string): boolean => answer.includes("\r\n\r\n")

describe("An attack through the proxy", () => {
  for (const { bytes, name, zone } of attacks) {
    it.live(`reaches nothing: ${name}`, () =>
      Effect.gen(function* () {
        const world = yield* open({
          ...(zone === undefined ? {} : { zone }),
          // Every host that looks like an allowed one is approved: only the address check is left.
          admit: ({ host }) =>
            Effect.succeed(host.startsWith("open") || host === "inner.test" ? null : "no rule names it")
        })
        const written = bytes.replaceAll("HIDDEN", `${world.hidden.port}`).replaceAll("OPEN", `${world.site.port}`)
        const answer = yield* speak(world.port, written, headOf)
        assert.notInclude(answer, "hidden")
        assert.strictEqual(world.hidden.seen.connections, 0)
        assert.notStrictEqual(statusOf(answer), 200, answer)
      })
    )
  }

  it("counts the attempts", () => {
    assert.isAtLeast(attacks.length, 40)
  })
})

describe("The proxy of a command", () => {
  it.live("forwards to an allowed host, and reports the bytes sent", () =>
    Effect.gen(function* () {
      const { port, requests, site } = yield* open()
      const answer = yield* speak(port, get(`http://open.test:${site.port}/page`, ["Proxy-Authorization: x", "TE: x"]))
      assert.include(answer, "GET /page")
      const [request] = site.seen.requests
      assert.strictEqual(request?.headers.host, `open.test:${site.port}`)
      assert.notProperty(request.headers, "proxy-authorization")
      assert.notProperty(request.headers, "te")
      const [line] = requests()
      assert.deepInclude(line, { method: "GET", url: `http://open.test:${site.port}/`, status: 200, refused: null })
      assert.isAbove(line?.bytes ?? 0, 0)
    })
  )

  it.live("tunnels both ways", () =>
    Effect.gen(function* () {
      const { port, site } = yield* open()
      const through = `CONNECT open.test:${site.port} HTTP/1.1\r\nHost: x\r\n\r\nGET /in HTTP/1.1\r\nHost: y\r\nConnection: close\r\n\r\n`
      assert.match(
        yield* speak(port, through),
        /^HTTP\/1\.1 200 Connection Established\r\n\r\nHTTP\/1\.1 200 OK[^]*GET \/in/
      )
    })
  )

  it.live("resolves no name that it may not reach, and says why it was not reached", () =>
    Effect.gen(function* () {
      const { asked, port, queried, requests } = yield* open()
      const answer = yield* speak(port, get("http://secret-data.evil.test/"))
      assert.strictEqual(statusOf(answer), 403)
      assert.include(answer, "\r\nsecret-data.evil.test:80: no rule names it\n")
      assert.deepStrictEqual(asked, ["secret-data.evil.test:80"])
      assert.deepStrictEqual(queried(), [])
      assert.deepInclude(requests()[0], {
        status: null,
        bytes: 0,
        refused: "Host: secret-data.evil.test:80: no rule names it"
      })
    })
  )

  it.live("asks once for all connections to a host, and they wait for the answer", () =>
    Effect.gen(function* () {
      const answered = yield* Deferred.make<null>()
      const { asked, port, site } = yield* open({ admit: () => Deferred.await(answered) })
      const one = speak(port, get(`http://open.test:${site.port}/`))
      const all = yield* Effect.forkChild(Effect.all([one, one, one], { concurrency: 3 }))
      while (asked.length === 0) yield* Effect.sleep(5)
      assert.strictEqual(site.seen.connections, 0)
      yield* Deferred.succeed(answered, null)
      for (const answer of yield* Fiber.join(all)) assert.strictEqual(statusOf(answer), 200)
      assert.strictEqual(asked.length, 1)
    })
  )

  it.live.each(["GET", "DELETE", "OPTIONS", "HEAD", "POST"])(
    "sends the body of a %s as one, never as a request",
    (method) =>
      Effect.gen(function* () {
        const { port, site } = yield* open()
        const host = `open.test:${site.port}`
        const second = "GET /second HTTP/1.1\r\nHost: other.test\r\n\r\n"
        const bodies = [
          ["Transfer-Encoding: chunked", `${second.length.toString(16)}\r\n${second}\r\n0\r\n\r\n`],
          [`Connection: close, content-length\r\nContent-Length: ${second.length}`, second]
        ]
        for (const [header, body] of bodies) {
          yield* speak(
            port,
            `${method} http://${host}/first HTTP/1.1\r\nHost: ${host}\r\n${header}\r\n\r\n${body}`,
            headOf
          )
        }
        assert.deepStrictEqual(
          site.seen.requests.map(({ headers, url }) => [url, headers.host, headers["transfer-encoding"]]),
          [
            ["/first", host, "chunked"],
            ["/first", host, "chunked"]
          ]
        )
      })
  )

  it.live("checks each request on the connection of an approved one, and switches to no other protocol", () =>
    Effect.gen(function* () {
      const { hidden, port, site } = yield* open()
      const first = (...headers: ReadonlyArray<string>) =>
        [`GET http://open.test:${site.port}/ HTTP/1.1`, `Host: open.test:${site.port}`, ...headers, "", ""].join("\r\n")
      const second = get(`http://127.0.0.1:${hidden.port}/`)
      for (const headers of [[], ["Expect: 100-continue"]]) {
        const answer = yield* speak(port, first(...headers) + second)
        assert.include(answer, "GET /", headers.join())
        assert.include(answer, "HTTP/1.1 403", headers.join())
      }
      for (const protocol of ["h2c", "websocket", "TLS/1.0"]) {
        const answer = yield* speak(port, first("Connection: Upgrade, close", `Upgrade: ${protocol}`) + second)
        assert.strictEqual(statusOf(answer), 200, protocol)
      }
      assert.strictEqual(hidden.seen.connections, 0)
    })
  )

  it.live("returns a redirect to the client, whose next request is checked again", () =>
    Effect.gen(function* () {
      const { hidden, port, site } = yield* open()
      assert.strictEqual(statusOf(yield* speak(port, get(`http://open.test:${site.port}/redirect`))), 302)
      assert.strictEqual(hidden.seen.connections, 0)
    })
  )

  it.live("ends a connection that sends more than it may, in a tunnel or in a request", () =>
    Effect.gen(function* () {
      const { port, requests, site } = yield* open({ maxSentBytes: 4096 })
      const body = "x".repeat(8192)
      const host = `open.test:${site.port}`
      const post = `POST http://${host}/ HTTP/1.1\r\nHost: ${host}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
      yield* speak(port, post)
      yield* speak(port, `CONNECT ${host} HTTP/1.1\r\n\r\n${body}`)
      for (const line of requests()) {
        assert.include(line.refused, "sent as much as it may")
        assert.isAtMost(line.bytes, 4096)
      }
      assert.strictEqual(requests().length, 2)
    })
  )

  it.live("ends its connections with the command", () =>
    Effect.gen(function* () {
      const socket = yield* Effect.scoped(
        Effect.gen(function* () {
          const { port } = yield* open({ admit: () => Effect.never })
          return yield* Effect.forkDetach(speak(port, get("http://open.test/")))
        })
      )
      assert.strictEqual(yield* Fiber.join(socket), "")
    })
  )
})

describe("A tunnel to a port of the web", () => {
  const address = "127.83.21.7"
  const port = 8443
  /** A host that counts what arrives. */
  const listening = Effect.map(
    Effect.acquireRelease(
      Effect.callback<{ readonly server: Server; readonly arrived: Array<Buffer> }>((resume) => {
        const arrived: Array<Buffer> = []
        const server = createServer((socket) => {
          socket.on("error", () => socket.destroy())
          socket.on("data", (piece: Buffer) => {
            arrived.push(piece)
            socket.end("answer")
          })
        })
        server.listen(port, address, () => resume(Effect.succeed({ server, arrived })))
      }),
      ({ server }) => Effect.sync(() => server.close())
    ),
    ({ arrived }) => arrived
  )
  const setting = { zone: { "open.test": [address] }, alsoAllow: [{ host: "open.test", port }] }
  const through = (first: Uint8Array): Uint8Array =>
    Buffer.concat([Buffer.from(`CONNECT open.test:${port} HTTP/1.1\r\nHost: open.test\r\n\r\n`), first])

  it.live("carries a connection that greets that host", () =>
    Effect.gen(function* () {
      const greeting = yield* hello("open.test")
      const arrived = yield* listening
      const world = yield* open(setting)
      assert.match(yield* speak(world.port, through(greeting)), /answer$/u)
      assert.deepStrictEqual(Buffer.concat(arrived), Buffer.from(greeting))
    })
  )

  const others: ReadonlyArray<readonly [name: string, first: Effect.Effect<Uint8Array>]> = [
    ["another host", hello("evil.test")],
    ["no host", hello(null)],
    ["a host above", hello("test")],
    ["plain HTTP to another host", Effect.succeed(Buffer.from("GET / HTTP/1.1\r\nHost: evil.test\r\n\r\n"))],
    ["SSH", Effect.succeed(Buffer.from("SSH-2.0-x\r\n"))],
    ["a greeting whose real host is hidden", Effect.map(hello("open.test"), (bytes) => withExtension(bytes, 0xfe0d))]
  ]
  for (const [name, first] of others) {
    it.live(`carries nothing of ${name}`, () =>
      Effect.gen(function* () {
        const arrived = yield* listening
        const world = yield* open(setting)
        assert.notInclude(yield* speak(world.port, through(yield* first)), "answer")
        assert.strictEqual(arrived.length, 0)
        assert.isNotNull(world.requests()[0]?.refused ?? null)
      })
    )
  }
})
