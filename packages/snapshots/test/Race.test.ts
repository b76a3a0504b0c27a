/** Directories that another process swaps for links to outside while a state is recorded or restored. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import { isThorough, thorough } from "../../../test/thorough.ts"
import { put, session, storedIn, workspace } from "./Scratch.ts"

const program = fileURLToPath(new URL("../../workspace/test/fixtures/exchange.mjs", import.meta.url))

/** Another process that swaps the two names for as long as the scope lasts. */
const swapping = (first: string, second: string) =>
  Effect.acquireRelease(
    Effect.callback<ReturnType<typeof spawn>>((resume) => {
      const child = spawn(process.execPath, ["--no-warnings", program, first, second], {
        stdio: ["ignore", "pipe", "inherit"]
      })
      child.stdout.once("data", () => resume(Effect.succeed(child)))
      child.once("exit", (code) => resume(Effect.die(`exchange ended with ${code}`)))
    }),
    (child) =>
      Effect.callback<void>((resume) => {
        if (child.exitCode !== null) return resume(Effect.void)
        child.once("exit", () => resume(Effect.void))
        child.kill("SIGKILL")
      })
  )

const canary = "canary-7f3a"
const attempts = isThorough ? 12 : 4
const canExchange = process.platform === "linux" && process.allowedNodeEnvironmentFlags.has("--experimental-ffi")

describe.skipIf(!canExchange)("A directory that is swapped for a link to outside [needs renameat2]", () => {
  it.live(
    "is neither read nor restored through",
    () =>
      Effect.gen(function* () {
        const { at, outside, root, snapshots, store } = yield* workspace({ "d/a.txt": "old", "d/b.txt": "b" })
        put(outside, { "a.txt": canary, "deep/": "" })
        fs.symlinkSync(outside, at("x"))
        const { call, redo, undo } = session(snapshots)
        yield* call(1, () => {
          put(root, { "d/a.txt": "new", "d/new/c.txt": "c" })
          fs.rmSync(at("d/b.txt"))
        })
        const before = fs.readdirSync(outside)
        yield* Effect.scoped(
          Effect.gen(function* () {
            yield* swapping(at("d"), at("x"))
            for (let attempt = 0; attempt < attempts; attempt++) {
              yield* Effect.result(attempt % 2 === 0 ? undo(null, true) : redo(true))
              yield* Effect.result(snapshots.after)
            }
          })
        )
        assert.deepStrictEqual(fs.readdirSync(outside), before)
        assert.strictEqual(fs.readFileSync(path.join(outside, "a.txt"), "utf8"), canary)
        assert.notInclude(storedIn(store), canary)
      }),
    thorough
  )
})
