/** Folders of the memory are closed to other accounts, also below a home that is open. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { chmodSync, mkdirSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { FileFolders, MemoryFiles } from "../src/index.ts"
import { open, temporaryDirectory } from "./World.ts"

const modeOf = (path: string): number => statSync(path).mode & 0o777

/** Files and folders that another account can reach and read. */
const reachable = (directory: string): ReadonlyArray<string> =>
  readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name)
    if ((modeOf(path) & 0o077) === 0) return []
    return entry.isDirectory() ? [path, ...reachable(path)] : [path]
  })

const used = (directory: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { find, memory, save } = yield* open(directory)
      yield* save("The physician is on holiday")
      yield* memory.index.settle(false)
      yield* find("doctor")
      yield* MemoryFiles.make(FileFolders.files(join(directory, "memory")), "ann").writeFile("facts/people.md", "Ann")
    })
  )

describe("the folders of a memory", () => {
  it.live("are closed to other accounts below a home that is open", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      chmodSync(directory, 0o755)
      yield* used(directory)
      assert.deepStrictEqual(reachable(directory), [])
      assert.strictEqual(modeOf(join(directory, "memory", "index")), 0o700)
    })
  )

  it.live("are closed to other accounts if they were made open", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      for (const path of ["memory", "memory/index", "memory/files"]) {
        mkdirSync(join(directory, path))
        chmodSync(join(directory, path), 0o755)
      }
      yield* used(directory)
      assert.deepStrictEqual(reachable(directory), [join(directory, "memory")])
    })
  )
})
