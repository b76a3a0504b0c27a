/** What a signal does to a process that is busy: with a handler that hears nothing, and with work that takes minutes. */
import { assert, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { requires } from "../../../test/requirements.ts"
import { type Place, put, start, until, withPlace } from "./program/Bough.ts"

const stuck = fileURLToPath(new URL("program/stuckCommand.ts", import.meta.url))

/** A process in a handler that never ends and cannot be interrupted. */
const startStuck = async ({ env, workspace }: Place) => {
  const child = spawn(process.execPath, [stuck, "call", "get_stuck", "{}"], {
    cwd: workspace,
    env,
    stdio: ["ignore", "ignore", "pipe"]
  })
  let said = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text))
  await until(() => said.includes("begun") || child.exitCode !== null)
  assert.isNull(child.exitCode, said)
  return child
}

describe("A handler that cannot be interrupted", { timeout: 60_000 }, () => {
  it("keeps no process from ending by one signal", () =>
    withPlace(async (place) => {
      // Side by side: each waits for the few seconds that what runs has to stop.
      const endings = await Promise.all(
        (["SIGTERM", "SIGINT"] as const).map(async (signal) => {
          const child = await startStuck(place)
          const ended = once(child, "exit")
          child.kill(signal)
          return ended
        })
      )
      assert.deepStrictEqual(endings, [
        [143, null],
        [130, null]
      ])
    }))
})

const linux = requires("linux")

/** Clock ticks that a process has worked. */
const workedTicks = (pid: number): number => {
  const [, fields = ""] = /\) (.*)/u.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? []
  const [utime, stime] = fields.split(" ").slice(11, 13).map(Number)
  return utime + stime
}

describe.skipIf(linux.skip)(`Work that takes minutes${linux.suffix}`, { timeout: 60_000 }, () => {
  it("ends at the first SIGINT, with nothing of it done", () =>
    withPlace(async (place) => {
      const count = 3_000
      const text = `${"x\r\n".repeat(1_000_000)}${Array.from({ length: count }, (_, at) => `<${at}>\r\n`).join("")}`
      const file = put(place, "long.txt", text)
      const edits = Array.from({ length: count }, (_, at) => ({ old: `<${at}>`, new: `[${at}]` }))
      const running = start(place, ["call", "edit_file", "-"], { stdin: JSON.stringify({ path: "long.txt", edits }) })
      const pid = running.child.pid ?? 0
      // Two seconds of work: it has begun, and has a hundred times as much before it.
      await until(() => workedTicks(pid) > 200)
      running.child.kill("SIGINT")
      const { code, stderr, stdout } = await running.ended
      assert.strictEqual(code, 130, stdout + stderr)
      assert.strictEqual(readFileSync(file, "utf8"), text)
    }))
})
