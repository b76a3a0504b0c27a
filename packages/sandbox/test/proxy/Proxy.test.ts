/** The way of a command to the network: real bubblewrap, real sockets, as root and as an ordinary user. */
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { createServer } from "node:net"
import { requires } from "../../../../test/requirements.ts"
import { thoroughOnly } from "../../../../test/thorough.ts"
import { asRoot, bubblewrap, eventually, processesWith } from "../Places.ts"
import * as ReachedLimit from "../ReachedLimit.ts"
import { proxied } from "./Proxied.ts"

/** `H`: the port of a site without an approval. `D`: the name server's. `A`: an abstract socket of this machine. */
const ways: ReadonlyArray<readonly [name: string, command: string]> = [
  ["no proxy", "curl -sS -m 5 --noproxy '*' http://127.0.0.1:$H/"],
  ["no proxy, IPv6", "curl -sS -m 5 --noproxy '*' 'http://[::1]:'$H/"],
  ["no proxy, mapped", "curl -sS -m 5 -g --noproxy '*' 'http://[::ffff:127.0.0.1]:'$H/"],
  ["the proxy, by address", "curl -sS -m 5 --noproxy '' http://127.0.0.1:$H/"],
  ["the proxy, by number", "curl -sS -m 5 --noproxy '' http://2130706433:$H/"],
  ["the proxy, by name", "curl -sS -m 5 --noproxy '' http://localhost:$H/"],
  ["a tunnel", "curl -sS -m 5 -p --noproxy '' http://127.0.0.1:$H/"],
  ["a tunnel to another port of an allowed host", "curl -sS -m 5 -p http://open.test:$H/"],
  ["another Host", "curl -sS -m 5 -H Host:127.0.0.1:$H http://open.test:$O/"],
  ["another proxy", "curl -sS -m 5 -x http://127.0.0.1:$H --noproxy '' http://open.test/"],
  ["SOCKS", "curl -sS -m 5 --socks5-hostname 127.0.0.1:61080 http://127.0.0.1:$H/"],
  ["a redirect that is followed", "curl -sSL -m 5 --noproxy '' -H x-h:$H http://open.test:$O/redirect"],
  ["a name without a proxy", "curl -sS -m 5 --noproxy '*' http://open.test:$O/"],
  ["bash", "bash -c 'exec 3<>/dev/tcp/127.0.0.1/'$H' && echo GET / >&3 && cat <&3'"],
  ["UDP to the name server", "bash -c 'echo x > /dev/udp/127.0.0.1/'$D"],
  [
    "perl",
    `perl -MIO::Socket -e 'my $s = IO::Socket::INET->new("127.0.0.1:$ENV{H}") or die "$!"; print $s "GET / HTTP/1.0\\r\\n\\r\\n"; print <$s>'`
  ],
  [
    "an abstract socket",
    `perl -MSocket -e 'socket(my $s, AF_UNIX, SOCK_STREAM, 0) or die "$!"; connect($s, pack("S", AF_UNIX) . "\\0" . $ENV{A}) or die "$!"; print "connected hidden"'`
  ],
  ["a raw socket", `perl -MSocket -e 'socket(my $s, AF_INET, SOCK_RAW, 1) or die "$!"; print "made hidden"'`],
  ["a packet socket", `perl -MSocket -e 'socket(my $s, 17, SOCK_RAW, 0) or die "$!"; print "made hidden"'`],
  [
    "a socket of the hypervisor",
    `perl -MSocket -e 'socket(my $s, 40, SOCK_STREAM, 0) or die "$!"; print "made hidden"'`
  ],
  [
    "a namespace of the init",
    "for n in /proc/[0-9]*/ns/net; do nsenter --net=$n curl -sS -m 5 --noproxy '*' http://127.0.0.1:$H/; done"
  ],
  ["a namespace of its own", "unshare -Urn curl -sS -m 5 http://127.0.0.1:$H/"],
  [
    "sockets left open by anybody",
    `for f in /proc/[0-9]*/fd/*; do case $(readlink $f) in socket:*) echo hidden $f;; esac; done`
  ],
  ["the channel of the listener", "for f in 3 4 5 6 7 8 9; do (printf x >&$f) 2>/dev/null && echo hidden $f; done"],
  ["the variables of the channel", "env | grep NODE_CHANNEL && echo hidden"],
  [
    "a listener in place of the proxy",
    `perl -MSocket -e 'socket(my $s, AF_INET, SOCK_STREAM, 0); setsockopt($s, SOL_SOCKET, 15, 1); bind($s, sockaddr_in(61080, INADDR_LOOPBACK)) or die "$!"; listen($s, 1) or die "$!"; print "bound hidden"'`
  ],
  [
    "another address of the machine",
    "for a in $(awk '/32 host/ {print f} {f=$2}' /proc/net/fib_trie); do curl -sS -m 5 --noproxy '*' http://$a:$H/; done"
  ],
  ["connections of the machine", "grep -i $(printf ':%04X' $H) /proc/net/tcp /proc/net/tcp6 && echo hidden"],
  ["a route", "ip link add dummy0 type dummy && ip addr add 10.9.8.7/24 dev dummy0 && echo hidden"]
]

const suite = (name: string, owner: number | undefined, requirement: typeof bubblewrap) =>
  describe.skipIf(requirement.skip)(`A command that uses the network, ${name}${requirement.suffix}`, () => {
    const setting = {
      ...(owner === undefined ? {} : { owner }),
      listener: ((request, response) => {
        if (request.url === "/redirect")
          response.writeHead(302, { location: `http://127.0.0.1:${String(request.headers["x-h"] ?? 1)}/` })
        response.end(`site ${request.method} ${request.url}`)
      }) satisfies NonNullable<Parameters<typeof proxied>[0]>["listener"]
    }

    it.live("reaches an approved host, and reports the bytes that it sent", () =>
      Effect.gen(function* () {
        const { asked, marked, run, site } = yield* proxied(setting)
        const ran = yield* run(`curl -sS http://open.test:${site.port}/page`)
        assert.strictEqual(ran.stdout, "site GET /page", ran.stderr)
        assert.deepStrictEqual(asked, [`open.test:${site.port}`])
        assert.isTrue(marked.has("untrusted"))
        assert.deepInclude(ran.requests?.[0], { method: "GET", url: `http://open.test:${site.port}/`, status: 200 })
      })
    )

    it.live("gets an error at once if no user approves, and no name is resolved", () =>
      Effect.gen(function* () {
        const { marked, run } = yield* proxied(setting)
        const ran = yield* run("curl -sS https://data.evil.test/; curl -sS http://data.evil.test/")
        assert.include(ran.stdout, "no rule names it")
        assert.deepStrictEqual(
          ran.requests?.map(({ bytes, refused }) => [bytes, refused]),
          [443, 80].map((port) => [0, `Host: data.evil.test:${port}: no rule names it`])
        )
        assert.isFalse(marked.has("untrusted"))
      })
    )

    it.live("reaches no host if the session does not send", () =>
      Effect.gen(function* () {
        const { runWithout, site } = yield* proxied(setting)
        const ran = yield* runWithout(
          `env | grep -i proxy; curl -sS -m 5 -x http://127.0.0.1:61080 http://open.test:${site.port}/`
        )
        assert.strictEqual(ran.stdout, "")
        assert.isUndefined(ran.requests)
        assert.strictEqual(site.seen.connections, 0)
      })
    )

    it.live(
      "finds no other way",
      () =>
        Effect.gen(function* () {
          const { hidden, nameServerPort, run, site } = yield* proxied(setting)
          const abstract = `bough-test-${process.pid}-${name.length}`
          const listening = createServer((socket) => socket.end("hidden"))
          yield* Effect.callback<void>((resume) => void listening.listen(`\0${abstract}`, () => resume(Effect.void)))
          for (const [way, command] of ways) {
            const ran = yield* run(
              `export H=${hidden.port} D=${nameServerPort} O=${site.port} A=${abstract}; ${command}`,
              { timeoutMillis: 240_000 }
            )
            assert.notInclude(ran.stdout, "hidden", way)
            assert.strictEqual(hidden.seen.connections, 0, way)
          }
          listening.close()
        }),
      thoroughOnly
    )
  })

suite("as whoever runs this", undefined, bubblewrap)
suite("in an ordinary user's workspace", 1234, asRoot)

const python = requires("python")

/** Opens 600 connections to the proxy, counts those that it ends, then closes all and sends a request. */
const flood = `
import os, re, socket, time
port = int(re.search(":([0-9]+)", os.environ["http_proxy"].split("//")[1]).group(1))
held = []
while len(held) < 600:
    one = socket.create_connection(("127.0.0.1", port), 60)
    one.setblocking(False)
    held.append(one)
ended = 0
until = time.monotonic() + 60
while time.monotonic() < until and ended < 344:
    ended = 0
    for one in held:
        try: ended += one.recv(1) == b""
        except BlockingIOError: pass
        except ConnectionResetError: ended += 1
    time.sleep(0.05)
print("ended", ended, flush=True)
for one in held: one.close()
answer = b""
while not answer:
    try:
        one = socket.create_connection(("127.0.0.1", port), 60)
        one.sendall(b"GET http://open.test:%s/ HTTP/1.1\\r\\nHost: open.test:%s\\r\\nConnection: close\\r\\n\\r\\n" % ((os.environ["O"].encode(),) * 2))
        answer = b"".join(iter(lambda: one.recv(4096), b""))
    except ConnectionError: answer = b""
print(answer.decode().splitlines()[0])
`

describe.skipIf(bubblewrap.skip)(`The proxy of a sandbox${bubblewrap.suffix}`, () => {
  it.live.skipIf(python.skip)(`serves a limited number of a command's connections at a time${python.suffix}`, () =>
    Effect.gen(function* () {
      const { run, site } = yield* proxied()
      const ran = yield* run(`O=${site.port} python3 -c '${flood}'`)
      assert.strictEqual(ran.stdout, "ended 344\nHTTP/1.1 200 OK\n", ran.stderr)
    })
  )

  it.live("pauses the command's time while a user is asked", () =>
    Effect.gen(function* () {
      const answered = yield* Deferred.make<null>()
      const { asked, run, site } = yield* proxied({ admit: () => Deferred.await(answered) })
      const command = run(`curl -sS http://open.test:${site.port}/`, { timeoutMillis: ReachedLimit.timeoutMillis })
      let isOver = false
      const isReached = () => (isOver = asked.length > 0)
      const fiber = yield* Effect.forkChild(ReachedLimit.when(isReached, command))
      // The whole limit passes while the user is asked.
      assert.isTrue(yield* eventually(() => isOver))
      yield* Effect.sleep(100)
      yield* Deferred.succeed(answered, null)
      assert.strictEqual((yield* Fiber.join(fiber)).stdout, "site GET /")
    })
  )

  it.live("ends with the command: nothing of it is left, whatever is requested", () =>
    Effect.gen(function* () {
      const { asked, run } = yield* proxied({ admit: () => Effect.never })
      const word = `http://waits-${process.pid}.test/`
      const fiber = yield* Effect.forkChild(run(`curl -sS ${word}`))
      while (asked.length === 0) yield* Effect.sleep(5)
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(processesWith(word), 0)
    })
  )

  it.live("carries a program's own connections: 20 at once", () =>
    Effect.gen(function* () {
      const { run, site } = yield* proxied()
      const ran = yield* run(`for i in $(seq 20); do curl -sS http://open.test:${site.port}/$i & done; wait`)
      assert.strictEqual(ran.stdout.match(/site GET/gu)?.length, 20)
      assert.strictEqual(ran.requests?.length, 1)
    })
  )
})
