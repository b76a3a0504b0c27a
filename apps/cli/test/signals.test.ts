/** The effect of a signal on a busy process: with a handler that ignores it, and with work that takes minutes. */
import { assert, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { fileURLToPath } from "node:url"
import { requires } from "../../../test/requirements.ts"
import { thoroughOnly } from "../../../test/thorough.ts"
import { bough, type TestFolder, put, start, until, withTestFolder } from "./program/Bough.ts"

const stuck = fileURLToPath(new URL("program/stuckCommand.ts", import.meta.url))

/** A process in a handler that never ends and cannot be interrupted. */
const startStuck = async ({ env, workspace }: TestFolder) => {
  const child = spawn(process.execPath, [stuck, "call", "get_stuck", "{}"], {
    cwd: workspace,
    env,
    stdio: ["ignore", "ignore", "pipe"]
  })
  let output = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output += text))
  await until(() => output.includes("begun") || child.exitCode !== null)
  assert.isNull(child.exitCode, output)
  return child
}

describe("A handler that cannot be interrupted", () => {
  it("cannot keep a process from ending at one signal", thoroughOnly, () =>
    withTestFolder(async (place) => {
      // In parallel: each waits for the few seconds of grace of its work.
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
    })
  )
})

const linux = requires("linux")

/** Clock ticks of processor time of a process. */
const workedTicks = (pid: number): number => {
  const [, fields = ""] = /\) (.*)/u.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? []
  const [utime, stime] = fields.split(" ").slice(11, 13).map(Number)
  return utime + stime
}

/** True once the journal contains a session. */
const hasSession = ({ data }: TestFolder): boolean => {
  const file = join(data, "bough.db")
  if (!existsSync(file)) return false
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    return database.prepare("SELECT 1 FROM entries").get() !== undefined
  } catch {
    // The tables are not there yet, or a writer has locked them.
    return false
  } finally {
    database.close()
  }
}

describe.skipIf(linux.skip)(`Work that takes minutes${linux.suffix}`, () => {
  it("ends at the first SIGINT, with none of it done", thoroughOnly, () =>
    withTestFolder(async (place) => {
      const count = 3_000
      const text = `${"x\r\n".repeat(1_000_000)}${Array.from({ length: count }, (_, at) => `<${at}>\r\n`).join("")}`
      const file = put(place, "long.txt", text)
      const edits = Array.from({ length: count }, (_, at) => ({ old: `<${at}>`, new: `[${at}]` }))
      const running = start(place, ["call", "edit_file", "-"], { stdin: JSON.stringify({ path: "long.txt", edits }) })
      const pid = running.child.pid ?? 0
      // The session is open, and a second of work has passed since then: the edit needs two hundred times as much.
      await until(() => hasSession(place) || running.child.exitCode !== null)
      assert.isNull(running.child.exitCode, running.stderr())
      const before = workedTicks(pid)
      await until(() => workedTicks(pid) > before + 100 || running.child.exitCode !== null)
      running.child.kill("SIGINT")
      const { code, stderr, stdout } = await running.ended
      assert.strictEqual(code, 130, stdout + stderr)
      assert.strictEqual(readFileSync(file, "utf8"), text)
    })
  )
})

/** Stops the child process that runs SQLite before its first statement: for its parent the statement never ends. */
const stopped = (place: TestFolder) => {
  const marker = join(place.root, "pid")
  const hook = join(place.root, "stop.cjs")
  writeFileSync(
    hook,
    `if (process.execArgv.includes("-e")) {
      require("node:fs").writeFileSync(${JSON.stringify(marker)}, String(process.pid))
      process.kill(process.pid, "SIGSTOP")
    }`
  )
  return { marker, env: { NODE_OPTIONS: `--require ${hook}` } }
}

const isGone = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return false
  } catch {
    return true
  }
}

/** Interrupts the command once SQLite has a process of its own, and returns how it ended. */
const interruptedIn = async (place: TestFolder, args: ReadonlyArray<string>) => {
  const { env, marker } = stopped(place)
  const running = start(place, args, { stdin: "", env })
  await until(() => existsSync(marker) && readFileSync(marker, "utf8") !== "")
  running.child.kill("SIGINT")
  const { code, stderr } = await running.ended
  return { code, stderr, isLeft: !isGone(Number(readFileSync(marker, "utf8"))) }
}

describe("A statement of SQLite that takes minutes", () => {
  const offline = ["--model", "offline/planner", "--format", "json", "what time is it"]

  it("cannot keep doctor from ending at one SIGINT, and its process ends too", () =>
    withTestFolder(async (place) => {
      await bough(place, ["run", ...offline])
      assert.deepInclude(await interruptedIn(place, ["doctor", "--full"]), { code: 130, isLeft: false })
    }))

  it("leaves the store intact if the file was being rewritten", thoroughOnly, () =>
    withTestFolder(async (place) => {
      const { sessionId } = JSON.parse((await bough(place, ["run", ...offline])).stdout) as {
        readonly sessionId: string
      }
      const file = join(place.data, "bough.db")
      const database = new DatabaseSync(file)
      database.exec(
        "PRAGMA journal_mode = DELETE; PRAGMA auto_vacuum = NONE; VACUUM; INSERT INTO blobs VALUES ('x', zeroblob(4000000), 0)"
      )
      database.close()
      assert.deepInclude(await interruptedIn(place, ["sessions", "rm", sessionId]), { code: 130, isLeft: false })
      const after = new DatabaseSync(file, { readOnly: true })
      assert.strictEqual(after.prepare("PRAGMA integrity_check").get()?.["integrity_check"], "ok")
      assert.strictEqual(after.prepare("SELECT count(*) AS n FROM sessions").get()?.["n"], 0)
      after.close()
    })
  )
})
