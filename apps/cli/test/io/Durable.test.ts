/** The results that a command reports survive a power cut: an export, and texts removed from a history. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { bundled } from "../../../../test/bundle.ts"
import * as DurableFiles from "../../../../test/durableFiles.ts"
import { requires } from "../../../../test/requirements.ts"

const strace = requires("linux", "strace")
const program = await bundled(new URL("makeDurable.ts", import.meta.url))

const place = Effect.acquireRelease(
  Effect.sync(() => realpathSync(mkdtempSync(join(tmpdir(), "bough-durable-")))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

describe.skipIf(strace.skip)(`Files of the commands${strace.suffix}`, () => {
  it.live("are durable, with their names, before the command reports them as written", () =>
    Effect.gen(function* () {
      const base = yield* place
      const folder = join(base, "folder")
      mkdirSync(folder)
      const calls = DurableFiles.trace(join(base, "logs"), [program, folder])
      const exported = DurableFiles.untilPrinted(calls, "exported\\n")
      const made = exported.flatMap(({ line, name, paths }) =>
        name.startsWith("open") && line.includes("O_EXCL") ? paths : []
      )
      assert.strictEqual(made.length, 4)
      assert.deepStrictEqual(DurableFiles.undurable(join(folder, "exported"), exported), [])
      // Lines of a history may be lost; a removed line may not come back.
      const left = DurableFiles.undurable(join(folder, "data"), DurableFiles.untilPrinted(calls, "forgotten\\n"))
      assert.deepStrictEqual(
        left.filter((line) => line.startsWith("not synced")),
        []
      )
    })
  )
})
