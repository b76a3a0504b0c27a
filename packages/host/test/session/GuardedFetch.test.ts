/** Requests to authorization servers: https and public addresses; this machine only for a server on this machine. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Resolver } from "node:dns"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { nameServer, serve } from "../../../network/test/World.ts"
import * as GuardedFetch from "../../src/session/GuardedFetch.ts"

const remote = GuardedFetch.make(new URL("https://tickets.example.com/mcp"))
const local = GuardedFetch.make(new URL("http://127.0.0.1:1/mcp"))

const refusalOf = (sent: Promise<Response>): Promise<string> =>
  sent.then(
    ({ status }) => `answered ${status}`,
    (error: unknown) => (error instanceof Error ? error.message : String(error))
  )

/** Resolves names through a name server of the test. */
const resolverAt = (server: string): GuardedFetch.Resolve => {
  const resolver = new Resolver()
  resolver.setServers([server])
  return (hostname, _, callback) =>
    resolver.resolve4(hostname, (error, addresses) =>
      error === null
        ? callback(
            null,
            addresses.map((address) => ({ address, family: 4 }))
          )
        : callback(error, [])
    )
}

describe("GuardedFetch", () => {
  it("refuses private addresses, this machine and plain http for a server elsewhere", async () => {
    const urls = [
      "http://login.example.com/token",
      "https://10.0.0.1/token",
      "https://127.0.0.1/token",
      "https://[::1]/token",
      "https://[::ffff:10.0.0.1]/token",
      "https://169.254.169.254/latest",
      "https://2130706433/token",
      "https://localhost/token"
    ]
    const refusals = await Promise.all(urls.map((url) => refusalOf(remote(url))))
    for (const refusal of refusals) assert.match(refusal, /is not https|private network|is this machine/u)
    assert.match(await refusalOf(local("https://192.168.1.1/token")), /private network/u)
    assert.match(await refusalOf(local("http://login.example.com/token")), /is not https/u)
  })

  it.live("checks the addresses that a name resolves to, for each connection again", () =>
    Effect.gen(function* () {
      const site = yield* serve((_, response) => void response.end())
      const port = `:${site.port}`
      const server = yield* nameServer({
        "near.test": ["127.0.0.1"],
        "half.test": ["93.184.216.34", "127.0.0.1"],
        "private.test": ["10.0.0.1"],
        "cloud.test": ["169.254.169.254"],
        "swing.test": [["127.0.0.1"], ["10.0.0.1"], ["127.0.0.1", "10.0.0.1"]]
      })
      const resolve = resolverAt(server)
      const remotely = GuardedFetch.make(new URL("https://tickets.example.com/mcp"), resolve)
      const locally = GuardedFetch.make(new URL("http://127.0.0.1:1/mcp"), resolve)
      const refused = (fetch: typeof remotely, host: string) =>
        Effect.promise(() => refusalOf(fetch(`https://${host}${port}/token`)))
      for (const host of ["near.test", "half.test", "private.test", "cloud.test"]) {
        assert.match(yield* refused(remotely, host), /leads to an address of a private network/u, host)
      }
      assert.strictEqual(site.seen.connections, 0)
      // This server speaks no TLS, so a test can only observe a connection to it.
      yield* refused(locally, "swing.test")
      assert.strictEqual(site.seen.connections, 1)
      for (const time of ["second", "third"]) {
        assert.match(yield* refused(locally, "swing.test"), /leads to an address of a private network/u, time)
      }
      assert.match(yield* refused(locally, "private.test"), /private network/u)
      assert.match(yield* refused(locally, "cloud.test"), /private network/u)
      assert.strictEqual(site.seen.connections, 1)
    }).pipe(Effect.scoped)
  )

  it.live("uses no connection of an earlier request", () =>
    Effect.gen(function* () {
      const site = yield* serve((_, response) => void response.end("ok"))
      for (let time = 0; time < 2; time++) {
        const response = yield* Effect.promise(() => local(`http://127.0.0.1:${site.port}/token`))
        assert.strictEqual(yield* Effect.promise(() => response.text()), "ok")
      }
      assert.strictEqual(site.seen.connections, 2)
    }).pipe(Effect.scoped)
  )

  it("reaches this machine for a server on this machine, follows no redirect, and reads no endless answer", async () => {
    const server = createServer((request, response) => {
      if (request.url === "/moved") return void response.writeHead(302, { location: "http://127.0.0.1:1/" }).end()
      if (request.url === "/endless") return void response.end(Buffer.alloc(2 * 1024 * 1024))
      let body = ""
      request.on("data", (chunk) => (body += String(chunk)))
      request.on("end", () => response.end(`${request.method} ${body}`))
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    try {
      const posted = await local(`${origin}/token`, { method: "POST", body: new URLSearchParams({ a: "b" }) })
      assert.strictEqual(await posted.text(), "POST a=b")
      assert.strictEqual((await local(`${origin}/moved`)).status, 302)
      assert.match(await refusalOf(local(`${origin}/endless`)), /more than|aborted/u)
    } finally {
      server.close()
      server.closeAllConnections()
    }
  })
})
