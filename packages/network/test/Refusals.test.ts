/** Refused requests: by spelling, by name, by redirect, by the connected address. */
import { Grant } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Socket } from "node:net"
import { refusedUrls } from "./refusedUrls.ts"
import * as World from "./World.ts"

const host = (name: string, port: number) => Grant.Grant.cases.Host.make({ host: name, port })

describe("Network refuses", () => {
  for (const { reason, url, zone } of refusedUrls) {
    it.live(`${JSON.stringify(url).slice(0, 60)} as ${reason}, without asking a user`, () =>
      Effect.gen(function* () {
        const { hidden, read, write } = yield* World.open(zone === undefined ? {} : { zone })
        const requestedUrl = url.replace("PORT", String(hidden.port))
        const words = yield* World.refusal(read.get(requestedUrl))
        assert.match(words, new RegExp(`^(PermissionDenied|ExecutionError) ${reason}: `))
        const request = { method: "POST", url: requestedUrl, headers: {}, body: null }
        assert.match(yield* World.refusal(write.send(request)), new RegExp(` ${reason}: `))
        assert.strictEqual(hidden.seen.connections, 0)
      })
    )
  }

  it.live("a redirect to loopback, at whichever hop", () =>
    Effect.gen(function* () {
      let to = ""
      const { at, hidden, read, site } = yield* World.open({
        listener: (request, response) => {
          const location = request.url === "/one" ? "/two" : to
          response.writeHead(request.url === "/two" ? 307 : 302, { location }).end()
        }
      })
      for (const place of ["http://127.0.0.1:PORT/", "//127.0.0.1:PORT/", "http://[::ffff:127.0.0.1]:PORT/"]) {
        to = place.replace("PORT", String(hidden.port))
        assert.match(yield* World.refusal(read.get(at("/one"))), /^PermissionDenied PrivateAddress: /)
      }
      to = "file:///etc/passwd"
      assert.match(yield* World.refusal(read.get(at("/one"))), /^PermissionDenied Scheme: /)
      to = `http://user:pass@public.test:${site.port}/`
      assert.match(yield* World.refusal(read.get(at("/one"))), /^PermissionDenied UserInfo: /)
      assert.strictEqual(hidden.seen.connections, 0)
      assert.strictEqual(site.seen.requests.length, 10)
    })
  )

  it.live("a redirect that the session may not follow, before its host is looked up", () =>
    Effect.gen(function* () {
      const requests: Array<readonly [string, boolean]> = []
      const passage = (url: string, isRedirect: boolean): string | null => {
        requests.push([url, isRedirect])
        return url.includes("evil.test") ? "denied by the rule" : null
      }
      const { at, network, queried, site } = yield* World.open({
        zone: { "evil.test": [World.elsewhere] },
        listener: (request, response) => {
          const location = request.url === "/one" ? "/two" : "http://evil.test/x"
          response.writeHead(302, { location }).end()
        }
      })
      const words = yield* World.refusal(network.read([], passage).get(at("/one")))
      assert.strictEqual(
        words,
        `PermissionDenied Redirect: ${at("/two")} leads to http://evil.test/x, which was not followed: denied by the rule`
      )
      assert.deepStrictEqual(requests, [
        [at("/one"), false],
        [at("/two"), true],
        ["http://evil.test/x", true]
      ])
      assert.strictEqual(site.seen.requests.length, 2)
      const direct = network.read([], passage).get("http://evil.test/")
      assert.match(yield* World.refusal(direct), /^PermissionDenied Host: http:\/\/evil\.test\/: denied by the rule$/)
      const sent = network
        .write([], passage)
        .send({ method: "POST", url: "http://evil.test/", headers: {}, body: null })
      assert.match(yield* World.refusal(sent), /^PermissionDenied Host: /)
      assert.notInclude(queried(), "evil.test")
    })
  )

  it.live("more redirects than five", () =>
    Effect.gen(function* () {
      const { at, read, site } = yield* World.open({
        listener: (request, response) => response.writeHead(302, { location: `${request.url}x` }).end()
      })
      assert.match(yield* World.refusal(read.get(at("/"))), /^ExecutionError TooManyRedirects: /)
      assert.strictEqual(site.seen.requests.length, 6)
    })
  )

  it.live("a name whose address changed to a private one after it was resolved", () =>
    Effect.gen(function* () {
      const zone = { "swing.test": [[World.elsewhere], ["127.0.0.1"]] }
      const { hidden, read } = yield* World.open({ zone })
      assert.isNull((yield* read.inspect("http://swing.test/")).guard)
      assert.match(yield* World.refusal(read.get("http://swing.test/")), /^PermissionDenied PrivateAddress: /)
      assert.strictEqual(hidden.seen.connections, 0)
    })
  )

  it.live("a connection to a private address, although the name and its address were public", () =>
    Effect.gen(function* () {
      const { hidden, read } = yield* World.open({ zone: { "bent.test": [World.elsewhere] } })
      yield* bend(World.elsewhere, hidden.port)
      assert.match(
        yield* World.refusal(read.get("http://bent.test/")),
        /^PermissionDenied PrivateAddress: bent\.test is 127\.0\.0\.1/
      )
      assert.strictEqual(hidden.seen.connections, 1)
      assert.strictEqual(hidden.seen.requests.length, 0)
    })
  )

  it.live("a second resolution of a name within one request", () =>
    Effect.gen(function* () {
      const { hidden, read } = yield* World.open({ zone: { "late.test": [[World.elsewhere], ["127.0.0.1"]] } })
      assert.match(yield* World.refusal(read.get("http://late.test/")), /^ExecutionError ConnectionFailed: /)
      assert.strictEqual(hidden.seen.connections, 0)
    })
  )

  it.live("link-local and metadata addresses although a grant names them", () =>
    Effect.gen(function* () {
      const grants = [host("169.254.169.254", 80), host("metadata.google.internal", 80), host("fe80::1", 80)]
      const { read } = yield* World.open({ grants })
      for (const url of ["http://169.254.169.254/", "http://metadata.google.internal/", "http://[fe80::1]/"]) {
        assert.match(yield* World.refusal(read.get(url)), /^PermissionDenied PrivateAddress: /)
        assert.match(yield* World.refusal(read.inspect(url)), /^PermissionDenied PrivateAddress: /)
      }
    })
  )
})

describe("Network opens", () => {
  it.live("a listed service, and no other port of its host", () =>
    Effect.gen(function* () {
      const { at, hidden, read } = yield* World.open()
      assert.strictEqual(World.text(yield* read.get(at("/"))), "public page")
      const other = `http://public.test:${hidden.port}/`
      assert.match(yield* World.refusal(read.get(other)), /^PermissionDenied PrivateAddress: /)
    })
  )

  it.live("this machine under a grant for exactly that host and port", () =>
    Effect.gen(function* () {
      const { hidden, network } = yield* World.open()
      const url = `http://localhost:${hidden.port}/`
      const { guard, host: name, port } = yield* network.read([]).inspect(url)
      assert.match(guard ?? "", /localhost is 127\.0\.0\.1, this machine/)
      assert.strictEqual(World.text(yield* network.read([host(name, port)]).get(url)), World.canary)
      for (const grant of [host(name, port + 1), host("127.0.0.1", port)]) {
        assert.match(yield* World.refusal(network.read([grant]).get(url)), /^PermissionDenied PrivateAddress: /)
      }
    })
  )
})

describe("Network pins", () => {
  const pinned = (name: string, port: number, addresses: ReadonlyArray<string>) =>
    Grant.Grant.cases.Host.make({ host: name, port, addresses })

  it.live("an approved name to the addresses that were shown, without a new resolution", () =>
    Effect.gen(function* () {
      const zone = { "flip.test": [["10.0.0.1"], ["127.0.0.1"]], "home.test": ["127.0.0.1"] }
      const { hidden, network, queried } = yield* World.open({ zone })
      const { guard, nearAddresses } = yield* network.read([]).inspect(`http://flip.test:${hidden.port}/`)
      assert.deepStrictEqual([guard, nearAddresses], ["flip.test is 10.0.0.1, a private network", ["10.0.0.1"]])
      const { read, write } = network
      const home = `http://home.test:${hidden.port}/`
      const request = { method: "POST", url: home, headers: {}, body: null }
      const shown = [pinned("home.test", hidden.port, ["127.0.0.1"])]
      assert.strictEqual(World.text(yield* read(shown).get(home)), World.canary)
      assert.strictEqual(World.text(yield* write(shown).send(request)), World.canary)
      assert.notInclude(queried(), "home.test")
      const elsewhere = [pinned("home.test", hidden.port, ["127.0.0.3"])]
      assert.match(yield* World.refusal(read(elsewhere).get(home)), /^ExecutionError ConnectionFailed: /)
      assert.strictEqual(hidden.seen.requests.length, 2)
    })
  )

  it.live("an approved name to its addresses: a connection to another one is refused", () =>
    Effect.gen(function* () {
      const { hidden, network } = yield* World.open()
      yield* bend("127.0.0.9", hidden.port)
      const read = network.read([pinned("home.test", 80, ["127.0.0.9"])])
      assert.match(
        yield* World.refusal(read.get("http://home.test/")),
        /^PermissionDenied PrivateAddress: home\.test is 127\.0\.0\.1, which was not shown$/
      )
      assert.strictEqual(hidden.seen.requests.length, 0)
    })
  )

  it.live("all addresses of a name, of both kinds, in one order", () =>
    Effect.gen(function* () {
      const zone = {
        "many.test": [["192.168.0.2", "10.0.0.1", "fd00:0:0:0:0:0:0:1"]],
        "half.test": [[World.elsewhere, "10.0.0.1"]],
        "far.test": [[World.elsewhere]]
      }
      const { network } = yield* World.open({ zone })
      const { inspect } = network.read([])
      const many = yield* inspect("http://many.test/")
      assert.deepStrictEqual(many.nearAddresses, ["10.0.0.1", "192.168.0.2", "fd00::1"])
      assert.strictEqual(many.guard, "many.test is 10.0.0.1, a private network; also 192.168.0.2, fd00::1")
      assert.deepStrictEqual((yield* inspect("http://half.test/")).nearAddresses, ["10.0.0.1", World.elsewhere])
      const far = yield* inspect("http://far.test:9999/")
      assert.deepStrictEqual([far.nearAddresses, far.guard], [[], "9999 of far.test is not a port of the web"])
    })
  )

  it.live("a grant for a port to public addresses: one that has become private since is refused", () =>
    Effect.gen(function* () {
      const { hidden, network } = yield* World.open({ zone: { "turn.test": ["127.0.0.1"] } })
      const read = network.read([pinned("turn.test", hidden.port, [])])
      assert.match(
        yield* World.refusal(read.get(`http://turn.test:${hidden.port}/`)),
        /^PermissionDenied PrivateAddress: /
      )
      assert.strictEqual(hidden.seen.connections, 0)
    })
  )

  it.live("no target of a redirect: the grant is for its own host and port", () =>
    Effect.gen(function* () {
      let port = 0
      const { hidden, network, site } = yield* World.open({
        zone: { "home.test": ["127.0.0.1"], "next.test": ["127.0.0.1"] },
        listener: (_, response) => response.writeHead(302, { location: `http://next.test:${port}/` }).end()
      })
      port = hidden.port
      const read = network.read([pinned("home.test", site.port, ["127.0.0.1"])])
      assert.match(
        yield* World.refusal(read.get(`http://home.test:${site.port}/`)),
        /^PermissionDenied PrivateAddress: next/
      )
      assert.strictEqual(hidden.seen.connections, 0)
    })
  )
})

/** Routes connections to an address to loopback until the scope ends, as a router or a proxy on the way may do. */
const bend = (address: string, port: number) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const prototype = Socket.prototype as unknown as { connect: (...args: Array<unknown>) => Socket }
      const straight = prototype.connect
      prototype.connect = function (this: Socket, ...args: Array<unknown>): Socket {
        const first = (Array.isArray(args[0]) ? args[0][0] : args[0]) as { host?: string; port?: number }
        if (first.host === address) Object.assign(first, { host: "127.0.0.1", port })
        return straight.apply(this, args)
      }
      return () => {
        prototype.connect = straight
      }
    }),
    (restore) => Effect.sync(restore)
  )
