/** A store survives a power cut with all acknowledged data: when it was created, upgraded, written and rewritten. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { copyFileSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { bundled } from "../../../test/bundle.ts"
import * as DurableFiles from "../../../test/durableFiles.ts"
import { requires } from "../../../test/requirements.ts"
import { thoroughOnly } from "../../../test/thorough.ts"
import { temporaryDirectory } from "./temporaryDirectory.ts"

const strace = requires("linux", "strace")
const program = await bundled(new URL("programs/openTree.ts", import.meta.url))
const acknowledge = await bundled(new URL("programs/acknowledge.ts", import.meta.url))
const openOnly = await bundled(new URL("programs/openOnly.ts", import.meta.url))

describe.skipIf(strace.skip)(`A new store${strace.suffix}`, () => {
  it.live("is durable, with its new directories, before it is used, and its first commit before it returns", () =>
    Effect.gen(function* () {
      const base = yield* temporaryDirectory
      const calls = DurableFiles.trace(join(base, "logs"), [program, join(base, "new", "home"), "tree-a"])
      const used = calls.findIndex(({ paths }) => paths.some((path) => path.endsWith("/bough.db-wal")))
      assert.isTrue(calls.slice(0, used).some(({ name, paths }) => name === "link" && paths[1].endsWith("/bough.db")))
      assert.deepStrictEqual(DurableFiles.undurable(join(base, "new"), calls.slice(0, used)), [])
      const inside = calls
        .slice(0, used)
        .filter(({ name, paths }) => name.endsWith("sync") && paths[0].includes("/home"))
      assert.isAtMost(inside.length, 2, "the file once it is whole, and the directory that names it")
      const committed = DurableFiles.untilPrinted(calls, "opened")
      assert.isTrue(committed.some(({ name, paths }) => name === "pwrite64" && paths[0].endsWith("/bough.db-wal")))
      assert.deepStrictEqual(DurableFiles.undurable(join(base, "new"), committed), [])
    })
  )
})

describe.skipIf(strace.skip)(`A store${strace.suffix}`, () => {
  it.live("acknowledges only durable data: commits, messages, outputs, notes and removals", () =>
    Effect.gen(function* () {
      const base = yield* temporaryDirectory
      const home = join(base, "home")
      const calls = DurableFiles.trace(join(base, "logs"), [acknowledge, home])
      const left = (line: string) => DurableFiles.undurable(home, DurableFiles.untilPrinted(calls, `${line}\\n`))
      // Checks that the lines below could find something.
      assert.deepStrictEqual(left("relaxed"), [`not synced: ${join(home, "bough.db-wal")}`])
      for (const line of ["committed", "together", "submitted", "blob", "noted", "removed"]) {
        assert.deepStrictEqual(left(line), [], line)
      }
      assert.deepStrictEqual(left("closed"), [])
    })
  )

  it.live("of an older version is durable in the new format before it is used", () =>
    Effect.gen(function* () {
      const base = yield* temporaryDirectory
      const home = join(base, "home")
      mkdirSync(home)
      copyFileSync(join(import.meta.dirname, "fixtures/v5/bough.db"), join(home, "bough.db"))
      const before = DurableFiles.untilPrinted(DurableFiles.trace(join(base, "logs"), [openOnly, home]), "opened\\n")
      assert.isTrue(before.some(({ name, paths }) => name === "pwrite64" && paths[0].endsWith("/bough.db-wal")))
      assert.deepStrictEqual(DurableFiles.undurable(home, before), [])
    })
  )

  it.live(
    "that is rewritten to free its space is never between the two formats",
    () =>
      Effect.gen(function* () {
        const base = yield* temporaryDirectory
        const home = join(base, "home")
        DurableFiles.trace(join(base, "logs"), [program, home, "tree-c"])
        const database = new DatabaseSync(join(home, "bough.db"))
        database.exec(
          "PRAGMA journal_mode = DELETE; PRAGMA auto_vacuum = NONE; VACUUM; INSERT INTO blobs VALUES ('x', zeroblob(4000000), 0); DELETE FROM blobs"
        )
        database.close()
        const calls = DurableFiles.trace(join(base, "logs"), [acknowledge, home])
        const again = new DatabaseSync(join(home, "bough.db"), { readOnly: true })
        assert.strictEqual(again.prepare("PRAGMA auto_vacuum").get()?.["auto_vacuum"], 2)
        again.close()
        assert.deepStrictEqual(DurableFiles.undurable(home, DurableFiles.untilPrinted(calls, "closed\\n")), [])
        // The log is durable before any page of the file is overwritten.
        const isOf = (suffix: string) => (path: string | undefined) => path === join(home, `bough.db${suffix}`)
        for (const [index, { name, paths }] of calls.entries()) {
          if (name !== "pwrite64" || !isOf("")(paths[0])) continue
          assert.notInclude(
            DurableFiles.undurable(home, calls.slice(0, index)),
            `not synced: ${join(home, "bough.db-wal")}`
          )
        }
      }),
    thoroughOnly
  )
})
