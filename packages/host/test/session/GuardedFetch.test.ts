/** Requests to authorization servers: https and public addresses; this machine only for a server on this machine. */
import { assert, describe, it } from "@effect/vitest"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import * as GuardedFetch from "../../src/session/GuardedFetch.ts"

const remote = GuardedFetch.make(new URL("https://tickets.example.com/mcp"))
const local = GuardedFetch.make(new URL("http://127.0.0.1:1/mcp"))

const refusalOf = (sent: Promise<Response>): Promise<string> =>
  sent.then(
    ({ status }) => `answered ${status}`,
    (error: unknown) => (error instanceof Error ? error.message : String(error))
  )

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

  it("checks the addresses that a name resolves to", async () => {
    assert.match(
      await refusalOf(remote("https://ip6-localhost.localhost/token")),
      /private network|ENOTFOUND|EAI_AGAIN/u
    )
  })

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
