/** A snapshot is durable before a call changes the files, and an undo before it is reported. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { bundled } from "../../../test/bundle.ts"
import * as DurableFiles from "../../../test/durableFiles.ts"
import { requires } from "../../../test/requirements.ts"
import { directories, put } from "./Scratch.ts"

const strace = requires("linux", "strace")
const program = await bundled(new URL("programs/restore.ts", import.meta.url))

const traced = Effect.map(directories, ({ base, root, store }) => {
  put(root, { "a.txt": "a", "folder/b.txt": "b", "folder/inner/c.txt": "c" })
  return { root, store, calls: DurableFiles.trace(path.join(base, "logs"), [program, root, store]) }
})

describe.skipIf(strace.skip)(`A snapshot store${strace.suffix}`, () => {
  it.live("is durable with its contents before a call begins", () =>
    Effect.gen(function* () {
      const { calls, store } = yield* traced
      for (const line of ["kept", "kept again"]) {
        const before = DurableFiles.untilPrinted(calls, `${line}\\n`)
        assert.isTrue(before.some(({ name, paths }) => name === "pwrite64" && paths[0].startsWith(`${store}/`)))
        assert.deepStrictEqual(DurableFiles.undurable(store, before), [], line)
      }
    })
  )

  it.live("restores files, their names and their folders durably before an undo is reported", () =>
    Effect.gen(function* () {
      const { calls, root } = yield* traced
      const before = DurableFiles.untilPrinted(calls, "undone\\n")
      const start = DurableFiles.untilPrinted(calls, "changed\\n").length
      assert.isTrue(before.slice(start).some(({ name, paths }) => name === "rename" && paths[1] === `${root}/a.txt`))
      assert.deepStrictEqual(DurableFiles.undurable(root, before.slice(start)), [])
      assert.isTrue(DurableFiles.isGoneDurably(path.join(root, "made"), before))
      assert.strictEqual(fs.readFileSync(path.join(root, "folder/inner/c.txt"), "utf8"), "c")
    })
  )

  it.live("replaces a file only with one whose text is durable", () =>
    Effect.gen(function* () {
      const { calls, root } = yield* traced
      const start = DurableFiles.untilPrinted(calls, "changed\\n").length
      const renames = calls.flatMap(({ name, paths }, index) =>
        index > start && name === "rename" ? [{ index, temporary: paths[0] }] : []
      )
      assert.isNotEmpty(renames)
      // Files are restored in parallel: another one may be half-written.
      for (const { index, temporary } of renames) {
        assert.notInclude(DurableFiles.undurable(root, calls.slice(start, index)), `not synced: ${temporary}`)
      }
    })
  )

  it.live("records the plan of an undo durably before it acts", () =>
    Effect.gen(function* () {
      const { calls, root, store } = yield* traced
      const start = DurableFiles.untilPrinted(calls, "changed\\n").length
      const first = calls.findIndex(
        ({ name, paths }, index) =>
          index > start && /^(rename|unlink|rmdir|mkdir)/.test(name) && paths.some((at) => at.startsWith(`${root}/`))
      )
      assert.isAbove(first, start)
      assert.deepStrictEqual(DurableFiles.undurable(store, calls.slice(0, first)), [])
    })
  )
})
