/** A change of a workspace survives a power cut, and never replaces a file that was created meanwhile. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as path from "node:path"
import { bundled } from "../../../test/bundle.ts"
import * as DurableFiles from "../../../test/durableFiles.ts"
import { requires } from "../../../test/requirements.ts"
import { directories, put } from "./Scratch.ts"

const strace = requires("linux", "strace")
const program = await bundled(new URL("programs/change.ts", import.meta.url))

const traced = Effect.map(directories, ({ base, root }) => {
  put(root, { "a.txt": "a", "folder/b.txt": "b", "folder/inner/c.txt": "c".repeat(3_000_000), "folder/empty/": "" })
  return { root, calls: DurableFiles.trace(path.join(base, "logs"), [program, root, path.join(base, "lists")]) }
})

describe.skipIf(strace.skip)(`A change of a workspace${strace.suffix}`, () => {
  it.live("is durable with all its files before it is reported", () =>
    Effect.gen(function* () {
      const { calls, root } = yield* traced
      for (const done of ["made", "replaced", "copied", "copied all", "moved"]) {
        assert.deepStrictEqual(DurableFiles.undurable(root, DurableFiles.untilPrinted(calls, `${done}\\n`)), [], done)
      }
    })
  )

  it.live("removes a name durably before it is reported", () =>
    Effect.gen(function* () {
      const { calls, root } = yield* traced
      for (const [name, done] of [
        ["b.txt", "moved"],
        ["elsewhere/twin", "removed"]
      ] as const) {
        const before = DurableFiles.untilPrinted(calls, `${done}\\n`)
        assert.isTrue(DurableFiles.isGoneDurably(path.join(root, name), before), name)
      }
    })
  )

  it.live("links a file that must be new into its place, and renames nothing over it", () =>
    Effect.gen(function* () {
      const { calls, root } = yield* traced
      for (const name of ["deep/new.txt", "b.txt", "deep/moved.txt"]) {
        const placed = calls.find(({ failed, paths }) => !failed && paths[1] === path.join(root, name))
        assert.strictEqual(placed?.name, "link", name)
      }
    })
  )
})
