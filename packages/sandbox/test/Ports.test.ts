/**
 * Ports of background commands: reached by other commands of the tree and by programs of the user, and by no others.
 */
import { Session } from "@bough/protocol"
import { SampleInvocation } from "@bough/tool/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { requires } from "../../../test/requirements.ts"
import { thoroughOnly } from "../../../test/thorough.ts"
import { BackgroundCommands, Sandbox } from "../src/index.ts"
import { outsidePort } from "../src/internal/ServicePorts.ts"
import { environment, place } from "./Places.ts"

const needed = requires("linux", "bubblewrap", "python")

/**
 * A server in Python's own library, which prints its port once it listens: its argument is the address and its answer.
 */
const server = `
import http.server, socket, sys
address, answer = sys.argv[1], sys.argv[2].encode()
class Answers(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.end_headers(); self.wfile.write(answer)
    def log_message(self, *_): pass
class Server(http.server.ThreadingHTTPServer):
    address_family = socket.AF_INET6 if ":" in address else socket.AF_INET
served = Server((address, 0), Answers)
print(served.server_address[1], flush=True)
served.serve_forever()
`
const client = `
import sys, urllib.request
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
try: print(opener.open(sys.argv[1], timeout=10).read().decode())
except Exception as error: print("refused", type(error).__name__)
`

/** The attempts of a program in the sandbox against the program that passes sockets. */
const attach = `
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
for pid in filter(str.isdigit, os.listdir("/proc")):
    try: name = open(f"/proc/{pid}/cmdline").read()
    except OSError: continue
    if not name.startswith("/run/bough/connect"): continue
    print("found")
    for file, mode in (("environ", "rb"), ("mem", "r+b")):
        try: open(f"/proc/{pid}/{file}", mode).read(1); print(file, "taken")
        except OSError: print(file, "refused")
    handle = libc.syscall(434, int(pid), 0)
    print("pidfd_getfd", "refused" if handle < 0 or libc.syscall(438, handle, 6, 0) < 0 else "taken")
    print("ptrace", "refused" if libc.ptrace(16, int(pid), 0, 0) < 0 else "taken")
`

const session = Effect.gen(function* () {
  const { workspace } = yield* place()
  writeFileSync(join(workspace, "server.py"), server)
  writeFileSync(join(workspace, "client.py"), client)
  writeFileSync(join(workspace, "attach.py"), attach)
  const background = yield* BackgroundCommands.make
  const sandbox = yield* Sandbox.make({}, environment)
  const provided = sandbox.provided({ root: workspace, writable: true, background })
  const callOf = (name: string) => {
    const sessionId = Session.SessionId.make(name)
    return provided.make(SampleInvocation.make({ sessionId, sessionPath: [sessionId] }), () => {})
  }
  const { background: own = assert.fail("no command goes on"), run } = callOf("a")
  /** Starts a server, and returns its own and its reachable address. */
  const serve = Effect.fnUntraced(function* (address: string, answer: string) {
    const { commandId } = yield* own.start({ argv: ["python3", "server.py", address, answer] }, {})
    let read = yield* own.read(commandId, { fromOffset: 0, waitMillis: 20_000 })
    while (read.ports === undefined) read = yield* own.read(commandId, { fromOffset: 0, waitMillis: 20 })
    const port = Number(read.text)
    const [found] = read.ports
    assert.deepStrictEqual([read.ports.length, found?.port], [1, port])
    return { commandId, port, outside: found?.outsidePort ?? 0 }
  })
  const ask = (within: typeof run, port: number) =>
    Effect.map(
      within({ argv: ["python3", "client.py", `http://127.0.0.1:${port}/`] }, { atTimeLimit: "kill", merged: true }),
      ({ stdout }) => stdout.trim()
    )
  return { ask, callOf, own, run, serve }
})

const fetched = (port: number): Effect.Effect<string> =>
  Effect.promise(() =>
    fetch(`http://127.0.0.1:${port}/`).then(
      (response) => response.text(),
      () => "refused"
    )
  )

describe.skipIf(needed.skip)(`Ports of background commands${needed.suffix}`, () => {
  it.live(
    "are reached by a later command and by the user, whichever loopback the server listens on, until it ends",
    () =>
      Effect.gen(function* () {
        const { ask, own, run, serve } = yield* session
        for (const address of ["127.0.0.1", "0.0.0.0", "::1"]) {
          const { commandId, outside, port } = yield* serve(address, `hello ${address}`)
          assert.strictEqual(yield* ask(run, port), `hello ${address}`)
          assert.strictEqual(yield* fetched(outside), `hello ${address}`)
          yield* own.stop(commandId)
          assert.strictEqual(yield* fetched(outside), "refused")
          assert.match(yield* ask(run, port), /^refused/u)
        }
      })
  )

  it.live(
    "are reached by a command that ran before the server listened, and by many connections at once",
    () =>
      Effect.gen(function* () {
        const { own, run, serve } = yield* session
        const { commandId } = yield* own.start(
          "until [ -s port ]; do sleep 0.02; done; python3 client.py http://127.0.0.1:$(cat port)/",
          {}
        )
        const { outside, port } = yield* serve("127.0.0.1", "late")
        yield* run(`echo ${port} > port.part && mv port.part port`)
        let read = yield* own.read(commandId, { fromOffset: 0, waitMillis: 20_000 })
        while (read.ended === null)
          read = yield* own.read(commandId, { fromOffset: read.nextOffset, waitMillis: 20_000 })
        assert.strictEqual((yield* own.read(commandId, { fromOffset: 0, waitMillis: 0 })).text, "late\n")
        const all = yield* Effect.forEach(Array.from({ length: 40 }), () => fetched(outside), {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual([...new Set(all)], ["late"])
      }),
    thoroughOnly
  )

  it.live("are not for other conversations, and lead to nothing of this machine", () =>
    Effect.gen(function* () {
      const { ask, callOf, run, serve } = yield* session
      const { port } = yield* serve("127.0.0.1", "mine")
      assert.match(yield* ask(callOf("b").run, port), /^refused/u)
      const outside = yield* Effect.acquireRelease(
        Effect.callback<ReturnType<typeof createServer>>((resume) => {
          const made = createServer((_, response) => response.end("of this machine"))
          made.listen(0, "127.0.0.1", () => resume(Effect.succeed(made)))
        }),
        (made) => Effect.sync(() => made.close())
      )
      assert.match(yield* ask(run, (outside.address() as AddressInfo).port), /^refused/u)
    })
  )

  it.live("use a program that no command can attach to, and that ends with its command", () =>
    Effect.gen(function* () {
      const { own, run } = yield* session
      const { commandId } = yield* own.start("sleep 60", {})
      const inside = yield* run({ argv: ["python3", "attach.py"] }, { atTimeLimit: "kill", merged: true })
      assert.strictEqual(inside.stdout, "found\nenviron refused\nmem refused\npidfd_getfd refused\nptrace refused\n")
      yield* own.stop(commandId)
    })
  )
})

describe("The port outside of a port", () => {
  it("is the same, unless a user's service may be expected there", () => {
    assert.deepStrictEqual([3000, 5173, 8000, 8080].map(outsidePort), [3000, 5173, 8000, 8080])
    assert.deepStrictEqual([22, 80, 443, 5432, 11_434, 9229].map(outsidePort), [0, 0, 0, 0, 0, 0])
  })
})
