/** The address of the gateway's process, and what the process prints if it cannot have it. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:net"
import { fileURLToPath } from "node:url"
import { thoroughOnly } from "../../../test/thorough.ts"
import { ListenFailed } from "../src/commands/ListenFailed.ts"
import * as Gateway from "./Gateway.ts"

const program = fileURLToPath(new URL("../src/bin/bough-gateway.ts", import.meta.url))

/** Runs the program until it ends, and returns its exit code and what it printed. */
const run = (...args: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const data = yield* Gateway.folder
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn(process.execPath, ["--conditions", "development", program, "--data", data, ...args], {
          stdio: ["ignore", "pipe", "pipe"]
        })
      ),
      (child) => Effect.sync(() => void child.kill("SIGKILL"))
    )
    return yield* Effect.promise(async () => {
      let printed = ""
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (printed += String(chunk)))
      const [code] = await once(child, "close")
      return { code: code as number, printed }
    })
  })

/** A port of loopback on which another program listens. */
const takenPort = Effect.acquireRelease(
  Effect.promise(async () => {
    const server = createServer()
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    return server
  }),
  (server) => Effect.sync(() => server.close())
).pipe(
  Effect.map((server) => {
    const address = server.address()
    return typeof address === "object" && address !== null ? address.port : 0
  })
)

describe("an address that the gateway cannot have", () => {
  it.each([
    ["EADDRINUSE", "port 8642 of 192.0.2.1 is in use; choose another one with --port, or any free one with --port 0"],
    ["EACCES", "port 8642 of 192.0.2.1 needs more rights; choose one above 1023 with --port"],
    ["EADDRNOTAVAIL", "192.0.2.1 is not an address of this machine; choose one with --host"],
    ["ENOTFOUND", "the host 192.0.2.1 is not known; choose an address of this machine with --host"],
    ["EBADF", "cannot listen on 192.0.2.1:8642 (EBADF); choose another address with --host and --port"]
  ])("is named by the error %s", (code, said) => {
    assert.strictEqual(new ListenFailed({ host: "192.0.2.1", port: 8642, code }).message, said)
  })

  it.live("is named, with the flag that changes it", () =>
    Effect.gen(function* () {
      const port = yield* takenPort
      const used = yield* run("--port", `${port}`)
      assert.deepStrictEqual(used, {
        code: 1,
        printed: `bough-gateway: port ${port} of 127.0.0.1 is in use; choose another one with --port, or any free one with --port 0\n`
      })
    })
  )

  it.live(
    "is named too if it belongs to another machine",
    () =>
      Effect.gen(function* () {
        const foreign = yield* run("--host", "192.0.2.1", "--port", "0")
        assert.deepStrictEqual(foreign, {
          code: 1,
          printed: "bough-gateway: 192.0.2.1 is not an address of this machine; choose one with --host\n"
        })
      }),
    thoroughOnly
  )
})
