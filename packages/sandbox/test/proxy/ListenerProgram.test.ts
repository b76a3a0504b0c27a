/** The program that opens the proxy's port: run here for our processor, and compared for others. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { Server } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { program } from "../../src/ListenerProgram.ts"
import { linux } from "../Places.ts"

const channel = 6

/** Null: the server does not listen. */
type Address = ReturnType<Server["address"]>

/** How it ended, and where the passed socket listens; null: it passed none. */
const run = (bytes: Uint8Array, hasChannel: boolean) =>
  Effect.acquireUseRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "bough-listener-"))),
    (directory) =>
      Effect.callback<{ readonly exitCode: number | null; readonly address: Address }>((resume) => {
        const path = join(directory, "listen")
        writeFileSync(path, bytes)
        chmodSync(path, 0o755)
        const stdio = [
          "ignore",
          "ignore",
          "ignore",
          "ignore",
          "ignore",
          "ignore",
          hasChannel ? "ipc" : "ignore"
        ] as const
        const child = spawn(path, [], { stdio: [...stdio] })
        let address: Address = null
        child.on("message", (_, handle) => {
          if (!(handle instanceof Server)) return
          address = handle.address()
          handle.close()
        })
        child.on("close", (exitCode) => resume(Effect.succeed({ exitCode, address })))
      }),
    (directory) => Effect.sync(() => rmSync(directory, { recursive: true }))
  )

const own = program(process.arch, 61_093, channel)

describe.skipIf(linux.skip || own === null)(`The program of this processor${linux.suffix}`, () => {
  it.live("passes a socket that listens on loopback alone, and ends", () =>
    Effect.gen(function* () {
      const { address, exitCode } = yield* run(own ?? new Uint8Array(), true)
      assert.strictEqual(exitCode, 0)
      assert.deepStrictEqual(address, { address: "127.0.0.1", family: "IPv4", port: 61_093 })
    })
  )

  it.live("reports that its socket was not received", () =>
    Effect.map(run(own ?? new Uint8Array(), false), ({ address, exitCode }) => {
      assert.strictEqual(exitCode, 1)
      assert.isNull(address)
    })
  )
})

describe("The program of arm64", () => {
  // The code that an emulator of that processor has run: each call's arguments in x0 to x2, its number in x8, then svc.
  const socket = "d2800040 f2a00000 d2800021 f2a00001 d2800002 f2a00002 d28018c8 f2a00008 d4000001 aa0003f3"
  const stored = "d2805c09 f2a00849 b9000120"
  const bind = "aa1303e0 d2805601 f2a00841 d2800202 f2a00002 d2801908 f2a00008 d4000001"
  const listen = "aa1303e0 d2803fe1 f2a00001 d2801928 f2a00008 d4000001"
  const sendmsg = "d28000c0 f2a00000 d2805d01 f2a00841 d2880002 f2a00002 d2801a68 f2a00008 d4000001"
  const exit = "531f7c00 d2800ba8 f2a00008 d4000001"

  it("equals the tested instructions", () => {
    const bytes = program("arm64", 61_080, channel) ?? new Uint8Array()
    const view = new DataView(bytes.buffer)
    const entry = Number(view.getBigUint64(24, true) - view.getBigUint64(64 + 16, true))
    const size = Number(view.getBigUint64(64 + 32, true))
    const words: Array<string> = []
    for (let at = entry; at < size; at += 4) words.push(view.getUint32(at, true).toString(16).padStart(8, "0"))
    assert.strictEqual(words.join(" "), [socket, stored, bind, listen, sendmsg, exit].join(" "))
  })

  it("exists for no other processor", () => {
    for (const name of ["ia32", "arm", "riscv64", "s390x"]) assert.isNull(program(name, 61_080, channel))
  })
})
