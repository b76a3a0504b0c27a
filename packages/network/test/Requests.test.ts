/** The request as sent, and the answer as returned. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib"
import { Network } from "../src/index.ts"
import * as World from "./World.ts"

const posted = (url: string, headers: Readonly<Record<string, string>> = {}) => ({
  method: "POST",
  url,
  headers,
  body: new TextEncoder().encode('{"a":1}')
})

describe("requests", () => {
  it.live("an answer is returned decompressed, with its status and without cookies", () =>
    Effect.gen(function* () {
      const { at, read } = yield* World.open({
        listener: (_, response) =>
          response
            .writeHead(404, { "content-encoding": "gzip", "set-cookie": "a=b", "x-kind": "page" })
            .end(gzipSync("not here"))
      })
      const { body, headers, status, url } = yield* read.get(`${at("/a?b=c")}#part`)
      assert.strictEqual(World.text({ body }), "not here")
      assert.strictEqual(status, 404)
      assert.strictEqual(headers["x-kind"], "page")
      assert.notProperty(headers, "set-cookie")
      assert.strictEqual(url, at("/a?b=c"))
    })
  )

  it.live("an answer in any coding that was asked for, and in those that servers send unasked, is read", () =>
    Effect.gen(function* () {
      const packed = new Map([
        ["/br", brotliCompressSync("Brotli")],
        ["/x-gzip", gzipSync("an older name of gzip")],
        ["/deflate", deflateSync("zlib")]
      ])
      const { at, read } = yield* World.open({
        listener: ({ url = "" }, response) =>
          response.setHeader("content-encoding", url.slice(1)).end(packed.get(url) ?? "")
      })
      const texts = yield* Effect.forEach(packed.keys(), (path) => Effect.map(read.get(at(path)), World.text))
      assert.deepStrictEqual(texts, ["Brotli", "an older name of gzip", "zlib"])
    })
  )

  it.live("a redirect is followed without cookies, and its target is reported", () =>
    Effect.gen(function* () {
      const { at, read, site } = yield* World.open({
        listener: (request, response) =>
          request.url === "/old"
            ? response.writeHead(301, { location: "/new", "set-cookie": "id=1" }).end()
            : response.end("moved")
      })
      assert.strictEqual((yield* read.get(at("/old"))).url, at("/new"))
      assert.isUndefined(site.seen.requests[1].headers.cookie)
    })
  )

  it.live("headers for one host are not sent to another", () =>
    Effect.gen(function* () {
      const other = yield* World.serve((_, response) => response.end("other"))
      const site = yield* World.serve((_, response) =>
        response.writeHead(302, { location: `http://other.test:${other.port}/` }).end()
      )
      const server = yield* World.nameServer({ "other.test": ["127.0.0.1"], "public.test": ["127.0.0.1"] })
      const { read, write } = Network.make({
        nameServers: [server],
        allow: [
          { host: "public.test", port: site.port },
          { host: "other.test", port: other.port }
        ]
      })
      const url = `http://public.test:${site.port}/`
      yield* read([]).get(url, { headers: { "If-None-Match": '"tag"', Accept: "text/plain" } })
      assert.strictEqual(site.seen.requests[0].headers["if-none-match"], '"tag"')
      assert.isUndefined(other.seen.requests[0].headers["if-none-match"])
      assert.strictEqual(other.seen.requests[0].headers.accept, "text/plain")
      const answer = yield* write([]).send(posted(url, { "X-Trace": "t0p" }))
      assert.strictEqual(answer.status, 302)
      assert.strictEqual(site.seen.requests[1].headers["x-trace"], "t0p")
      assert.strictEqual(other.seen.requests.length, 1)
    })
  )

  it.live("a body is sent unchanged, with the requested method", () =>
    Effect.gen(function* () {
      const { at, write } = yield* World.open({
        listener: (request, response) => {
          const parts: Array<Buffer> = []
          request.on("data", (part: Buffer) => parts.push(part))
          request.on("end", () => response.end(`${request.method} ${Buffer.concat(parts).toString()}`))
        }
      })
      const { body } = yield* write.send({ ...posted(at("/")), method: "PUT" })
      assert.strictEqual(World.text({ body }), 'PUT {"a":1}')
    })
  )

  const forbidden = ["Host", "X-Forwarded-For", "Metadata-Flavor", "Cookie", "Content-Length", "Transfer-Encoding"]
  for (const name of forbidden) {
    it.live(`refuses to set the header ${name}`, () =>
      Effect.gen(function* () {
        const { at, read, site, write } = yield* World.open()
        const headers = { [name]: "127.0.0.1" }
        assert.match(yield* World.refusal(read.get(at("/"), { headers })), /^PermissionDenied Header: /)
        assert.match(yield* World.refusal(write.send(posted(at("/"), headers))), /^PermissionDenied Header: /)
        assert.strictEqual(site.seen.connections, 0)
      })
    )
  }

  it.live("a read does not identify its sender, and no header value injects a line", () =>
    Effect.gen(function* () {
      const { at, read, site, write } = yield* World.open()
      const headers = { Authorization: "Bearer t0p" }
      assert.match(yield* World.refusal(read.get(at("/"), { headers })), /^PermissionDenied Header: /)
      const split = posted(at("/"), { Accept: "text/plain\r\nX-Forwarded-For: 127.0.0.1" })
      assert.match(yield* World.refusal(write.send(split)), /^PermissionDenied Header: /)
      for (const method of ["CONNECT", "TRACE", "get", "GET / HTTP/1.1\r\nA: b\r\n\r\n"]) {
        assert.match(yield* World.refusal(write.send({ ...split, method })), /^PermissionDenied Method: /)
      }
      assert.strictEqual(site.seen.connections, 0)
    })
  )

  it.live("a server without TLS, or no server, is reported in one line", () =>
    Effect.gen(function* () {
      const { at, read, site } = yield* World.open()
      const secured = yield* World.refusal(read.get(at("/").replace("http:", "https:")))
      assert.match(secured, /^ExecutionError ConnectionFailed: public\.test:\d+: \w+$/)
      assert.strictEqual(site.seen.requests.length, 0)
      const server = yield* World.nameServer({ "shut.test": ["127.0.0.1"] })
      const shut = Network.make({ nameServers: [server], allow: [{ host: "shut.test", port: 1 }] })
      assert.match(yield* World.refusal(shut.read([]).get("http://shut.test:1/")), /ConnectionFailed: .*ECONNREFUSED/)
    })
  )
})
