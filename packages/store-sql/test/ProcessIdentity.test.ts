/** Who a process is, asked in both ways that platforms offer. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import * as ProcessIdentity from "../src/ProcessIdentity.ts"

const hasPs = existsSync("/bin/ps")

/** Beyond what any kernel gives out. */
const nobody = 2 ** 22 + 1

describe("ProcessIdentity", () => {
  it.live("knows this process again, and no other of its number", () =>
    Effect.gen(function* () {
      const own = yield* ProcessIdentity.own
      assert.strictEqual(own.pid, process.pid)
      assert.isNotEmpty(own.start)
      assert.isTrue(yield* ProcessIdentity.isAlive(own))
      assert.isFalse(yield* ProcessIdentity.isAlive({ ...own, start: `${own.start}1` }))
      assert.isFalse(yield* ProcessIdentity.isAlive({ ...own, boot: "another" }))
      assert.isFalse(yield* ProcessIdentity.isAlive({ ...own, pid: nobody }))
    })
  )

  it.live.skipIf(!hasPs)(`hears of ps when a process started, and that it is dead${hasPs ? "" : " [needs ps]"}`, () =>
    Effect.gen(function* () {
      const start = yield* ProcessIdentity.startByPs(process.pid)
      assert.match(start ?? "", /\d\d:\d\d:\d\d/)
      assert.strictEqual(yield* ProcessIdentity.startByPs(process.pid), start)
      assert.isNull(yield* ProcessIdentity.startByPs(nobody))
      const child = spawn("sleep", ["1000"])
      assert.isNotNull(yield* ProcessIdentity.startByPs(child.pid ?? nobody))
      const ended = Effect.callback<void>((resume) => void child.once("exit", () => resume(Effect.void)))
      child.kill("SIGKILL")
      yield* ended
      assert.isNull(yield* ProcessIdentity.startByPs(child.pid ?? nobody))
    })
  )
})
