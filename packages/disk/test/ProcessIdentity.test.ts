/** The identity of a process, in both ways that platforms offer. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawn, spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { requires } from "../../../test/requirements.ts"
import * as ProcessIdentity from "../src/ProcessIdentity.ts"

const another = requires("linux", "root", "reachable")
const hasPs = existsSync("/bin/ps")

/** A number beyond those of any kernel. */
const absentPid = 2 ** 22 + 1

describe("ProcessIdentity", () => {
  it.live("recognises this process, and no other of its number", () =>
    Effect.gen(function* () {
      const own = yield* ProcessIdentity.own
      assert.strictEqual(own.pid, process.pid)
      assert.isNotEmpty(own.start)
      assert.strictEqual(yield* ProcessIdentity.lifeOf(own), "Alive")
      assert.strictEqual(yield* ProcessIdentity.lifeOf({ ...own, start: `${own.start}1` }), "Dead")
      assert.strictEqual(yield* ProcessIdentity.lifeOf({ ...own, pid: absentPid }), "Dead")
    })
  )

  it.live("reports nothing about one that it cannot look up", () =>
    Effect.gen(function* () {
      const own = yield* ProcessIdentity.own
      for (const pid of [own.pid, absentPid]) {
        for (const other of [
          { namespace: "pid:[1] time:[1]" },
          { host: "another" },
          { machine: "another" },
          { boot: "" }
        ]) {
          assert.strictEqual(yield* ProcessIdentity.lifeOf({ ...own, pid, ...other }), "Unknown", JSON.stringify(other))
        }
      }
      assert.strictEqual(yield* ProcessIdentity.lifeOf({ ...own, start: "" }), "Unknown")
    })
  )

  it.skipIf(another.skip)(
    `knows that a process of another user lives, which accepts no signals${another.suffix}`,
    () => {
      const program = fileURLToPath(new URL("programs/lifeOfFirst.ts", import.meta.url))
      const { stderr, stdout } = spawnSync(process.execPath, [program], { uid: 65_534, encoding: "utf8" })
      assert.strictEqual(stdout, "Alive\n", stderr)
    }
  )

  const host: ProcessIdentity.ProcessIdentity = {
    pid: 7,
    start: "100",
    boot: "boot-a",
    namespace: "pid:[4026531836] time:[4026531834]",
    machine: "0123",
    host: "alder"
  }
  const container = { ...host, namespace: "pid:[4026532001] time:[4026531834]" }

  for (const [name, other, self, expected] of [
    ["the same namespace", host, host, "Same"],
    ["the same container", container, container, "Same"],
    ["a container beside it", container, host, "Unknown"],
    ["the host outside", host, container, "Unknown"],
    ["another time namespace", { ...host, namespace: "pid:[4026531836] time:[1]" }, host, "Unknown"],
    ["the machine before its restart", { ...host, boot: "boot-b" }, host, "Gone"],
    [
      "a container before a restart, or one that names its boot itself",
      { ...container, boot: "boot-b" },
      container,
      "Unknown"
    ],
    ["a container on another boot", { ...container, boot: "boot-b" }, host, "Unknown"],
    ["another machine of one name", { ...host, boot: "boot-b", machine: "4567" }, host, "Unknown"],
    [
      "a machine without an id, on another boot",
      { ...host, boot: "boot-b", machine: "" },
      { ...host, machine: "" },
      "Unknown"
    ],
    ["a clone of another name", { ...host, boot: "boot-b", host: "birch" }, host, "Unknown"],
    ["one of whom nothing is known", { ...host, boot: "", namespace: "" }, host, "Unknown"]
  ] as const) {
    it(`of ${name}: ${expected}`, () => {
      assert.strictEqual(ProcessIdentity.reach(other, self), expected)
    })
  }

  it.live.skipIf(!hasPs)(`reads from ps when a process started, and that it is dead${hasPs ? "" : " [needs ps]"}`, () =>
    Effect.gen(function* () {
      const start = yield* ProcessIdentity.startByPs(process.pid)
      assert.match(start ?? "", /\d\d:\d\d:\d\d/)
      assert.strictEqual(yield* ProcessIdentity.startByPs(process.pid), start)
      assert.isNull(yield* ProcessIdentity.startByPs(absentPid))
      const child = spawn("sleep", ["1000"])
      assert.isNotNull(yield* ProcessIdentity.startByPs(child.pid ?? absentPid))
      const ended = Effect.callback<void>((resume) => void child.once("exit", () => resume(Effect.void)))
      child.kill("SIGKILL")
      yield* ended
      assert.isNull(yield* ProcessIdentity.startByPs(child.pid ?? absentPid))
    })
  )
})
