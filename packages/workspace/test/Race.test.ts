import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { spawn } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import { isThorough, thorough, thoroughOnly } from "../../../test/thorough.ts"
import { canary, open } from "./Scratch.ts"

const program = fileURLToPath(new URL("fixtures/exchange.mjs", import.meta.url))

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
    // Waits for the end of the swapping program, because the swapped files are removed next.
    (child) =>
      Effect.callback<void>((resume) => {
        if (child.exitCode !== null) return resume(Effect.void)
        child.once("exit", () => resume(Effect.void))
        child.kill("SIGKILL")
      })
  )

/** The result of a check of the path before opening it; null: it noticed the swap. */
const naiveRead = (root: string, name: string): string | null => {
  try {
    const real = fs.realpathSync.native(path.join(root, name))
    return real.startsWith(root) ? fs.readFileSync(path.join(root, name), "utf8") : null
  } catch {
    return null
  }
}

/** Repeats until a read returned the wrong file, which proves that the race occurs. */
const naiveLeaks = (root: string, name: string): boolean => {
  for (let attempt = 0; attempt < 1_000_000; attempt++) if (naiveRead(root, name) === canary) return true
  return false
}

const attempts = isThorough ? 10_000 : 1_000
const canExchange = process.platform === "linux" && process.allowedNodeEnvironmentFlags.has("--experimental-ffi")

describe.skipIf(!canExchange)("A directory that another process swaps for a link to outside [needs renameat2]", () => {
  it.live(
    "is never read through",
    () =>
      Effect.gen(function* () {
        const { at, outside, read, root } = yield* open({ "d/f": "inside" })
        fs.writeFileSync(path.join(outside, "f"), canary)
        fs.symlinkSync(outside, at("x"))
        yield* swapping(at("d"), at("x"))
        assert.isTrue(naiveLeaks(root, "d/f"))
        let inside = 0
        for (let attempt = 0; attempt < attempts; attempt++) {
          const exit = yield* Effect.exit(read.readFile("d/f", 100))
          if (Exit.isFailure(exit)) continue
          assert.strictEqual(Buffer.from(exit.value.bytes).toString(), "inside")
          inside++
        }
        assert.isAbove(inside, 0)
      }),
    thorough
  )

  it.live(
    "is never listed, measured or searched through",
    () =>
      Effect.gen(function* () {
        const { at, outside, read } = yield* open({ "d/f": "inside\n" })
        fs.writeFileSync(path.join(outside, "f"), `${canary}\n`)
        fs.symlinkSync(outside, at("x"))
        yield* swapping(at("d"), at("x"))
        for (let attempt = 0; attempt < 30; attempt++) {
          const found = yield* Effect.exit(
            read.search({
              pattern: "canary|inside",
              path: ".",
              globs: [],
              caseSensitive: true,
              literal: false,
              contextLines: 2,
              limit: 10
            })
          )
          const listed = yield* Effect.exit(
            read.list("d", { recursive: false, hidden: true, ignored: true, measure: true, limit: 10 })
          )
          assert.notInclude(JSON.stringify([found, listed]), canary)
          assert.notInclude(JSON.stringify(listed), '"path":"d/secret"')
        }
      }),
    thoroughOnly
  )

  it.live("is never written, moved or removed through", () =>
    Effect.gen(function* () {
      const { at, outside, write } = yield* open({ "d/keep": "" })
      fs.mkdirSync(path.join(outside, "victim"))
      fs.symlinkSync(outside, at("x"))
      const before = fs.readdirSync(outside).toSorted()
      yield* swapping(at("d"), at("x"))
      let written = 0
      for (let attempt = 0; attempt < 500; attempt++) {
        const exit = yield* Effect.exit(write.writeFile(`d/new-${attempt}`, Buffer.from("x")))
        if (Exit.isSuccess(exit)) written++
        yield* Effect.exit(write.createDirectory(`d/sub-${attempt}`))
        yield* Effect.exit(write.move(`d/new-${attempt}`, `d/moved-${attempt}`))
        yield* Effect.exit(write.remove("d/victim"))
        yield* Effect.exit(write.remove("d/secret"))
      }
      assert.deepStrictEqual(fs.readdirSync(outside).toSorted(), before)
      assert.isAbove(written, 0)
    })
  )
})

describe.skipIf(!canExchange)("A file that another process swaps for a link to outside [needs renameat2]", () => {
  it.live("is never read or written through", () =>
    Effect.gen(function* () {
      const { at, outside, read, write } = yield* open({ "a.txt": "inside" })
      fs.symlinkSync(path.join(outside, "secret"), at("x"))
      yield* swapping(at("a.txt"), at("x"))
      for (let attempt = 0; attempt < attempts; attempt++) {
        const exit = yield* Effect.exit(read.readFile("a.txt", 100))
        if (Exit.isSuccess(exit)) assert.strictEqual(Buffer.from(exit.value.bytes).toString(), "inside")
      }
      for (let attempt = 0; attempt < 300; attempt++) {
        yield* Effect.exit(write.writeFile("a.txt", Buffer.from("inside")))
      }
      assert.strictEqual(fs.readFileSync(path.join(outside, "secret"), "utf8"), canary)
    })
  )
})
