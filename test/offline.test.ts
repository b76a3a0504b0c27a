/** Tests of the sandbox around the programs that tests start: the command that starts the whole run. */
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { requires } from "./requirements.ts"

const offline = fileURLToPath(new URL("offline.sh", import.meta.url))

const run = (command: ReadonlyArray<string>, env: Readonly<Record<string, string | undefined>> = process.env) => {
  const { status, stderr, stdout } = spawnSync("/bin/sh", [offline, ...command], { env, encoding: "utf8" })
  return { status, stdout: stdout.trim(), stderr: stderr.trim() }
}

/** Prints how a connection to an address ends. 192.0.2.1 belongs to no machine. */
const connect = (host: string) => `
  const server = require("node:net").createServer((socket) => socket.end()).listen(0, "127.0.0.1", () => {
    const socket = require("node:net").connect(server.address().port, ${JSON.stringify(host)})
    const ends = (how) => () => { console.log(how); process.exit() }
    socket.setTimeout(5_000, ends("silent")).on("connect", ends("connected")).on("error", ({ code }) => ends(code)())
  })`

const bubblewrap = requires("bubblewrap")

describe.skipIf(bubblewrap.skip)(`offline.sh${bubblewrap.suffix}`, () => {
  it.each([
    ["127.0.0.1", "connected"],
    ["192.0.2.1", "ENETUNREACH"]
  ])("a program that connects to %s is %s", (host, ends) => {
    assert.deepStrictEqual(run([process.execPath, "-e", connect(host)]), { status: 0, stdout: ends, stderr: "" })
  })

  it("lets a sandbox be created within, as the same user", () => {
    const sandboxed = ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "id", "-u"]
    assert.deepStrictEqual(run(sandboxed), { status: 0, stdout: String(process.getuid?.()), stderr: "" })
  })
})

describe.skipIf(bubblewrap.skip)(`offline.sh, temporary files${bubblewrap.suffix}`, () => {
  it("are in memory, private, and available to every user of the machine", () => {
    const looked = run([
      "/bin/sh",
      "-c",
      'stat -f -c %T "$TMPDIR"; stat -c %a "$TMPDIR"; touch "$TMPDIR/x"; echo "$TMPDIR"'
    ])
    const [type, mode, folder] = looked.stdout.split("\n")
    assert.deepStrictEqual([type, mode], ["tmpfs", "1777"])
    assert.isFalse(existsSync(join(folder, "x")))
  })
})

describe("offline.sh", () => {
  it("ends as the command does", () => {
    assert.strictEqual(run(["/bin/sh", "-c", "exit 7"]).status, 7)
  })

  it("runs the command and says so if bubblewrap is missing", () => {
    const folder = mkdtempSync(join(tmpdir(), "bough-offline-"))
    try {
      symlinkSync("/usr/bin/id", join(folder, "id"))
      const { status, stderr, stdout } = run(["/bin/sh", "-c", "echo ran"], { PATH: folder })
      assert.deepStrictEqual([status, stdout], [0, "ran"])
      assert.match(stderr, /^no network namespace .* could reach the network$/)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
