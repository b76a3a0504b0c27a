/** A package beside which LanceDB is not installed: a large memory works without it, and uses it once it is there. */
import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { thoroughOnly } from "../../../test/thorough.ts"
import * as VectorLibrary from "../src/VectorLibrary.ts"

const own = fileURLToPath(new URL("..", import.meta.url))
const manifest = JSON.parse(readFileSync(join(own, "package.json"), "utf8"))

/** Copies the package into a folder with all of its dependencies except LanceDB. */
const copyWithout = (root: string): string => {
  const copy = join(root, "copy")
  for (const name of ["src", "test", "package.json"]) cpSync(join(own, name), join(copy, name), { recursive: true })
  const modules = join(own, "node_modules")
  const scoped = (name: string) => readdirSync(join(modules, name)).map((part) => `${name}/${part}`)
  const all = readdirSync(modules).flatMap((name) => (name.startsWith("@") ? scoped(name) : [name]))
  for (const name of all.filter((one) => !one.startsWith(".") && !(one in VectorLibrary.packages))) {
    mkdirSync(dirname(join(copy, "node_modules", name)), { recursive: true })
    symlinkSync(join(modules, name), join(copy, "node_modules", name))
  }
  return copy
}

/** A folder as `bough memory index install` leaves it. */
const installLibrary = (root: string): string => {
  const folder = join(root, "library")
  for (const name of Object.keys(VectorLibrary.packages)) {
    mkdirSync(dirname(join(folder, "node_modules", name)), { recursive: true })
    symlinkSync(join(own, "node_modules", name), join(folder, "node_modules", name))
  }
  writeFileSync(join(folder, "index.mjs"), VectorLibrary.entry)
  return join(folder, "index.mjs")
}

interface Similar {
  readonly reason: string | null
  readonly similarities: ReadonlyArray<string>
}

interface Output extends Readonly<Record<"first" | "later" | "afterSave", Similar>> {
  readonly tables: number
  readonly hasPacked: boolean
  readonly isInstalled: boolean
}

/** Gives `use` a program that runs in such a copy over one large memory, and returns its output. */
const withCopy = (use: (run: (...library: ReadonlyArray<string>) => Output, root: string) => void): void => {
  const root = mkdtempSync(join(tmpdir(), "bough-without-"))
  try {
    const copy = copyWithout(root)
    use((...library) => {
      const program = [join(copy, "test/programs/largeMemory.ts"), join(root, "data"), ...library]
      const env = { ...process.env, LANCEDB_LOG: "off" }
      return JSON.parse(execFileSync(process.execPath, program, { encoding: "utf8", env })) as Output
    }, root)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

describe("a memory without LanceDB", () => {
  it("compares every note above the limit, and keeps the file of vectors", () =>
    withCopy((run) => {
      const without = run()
      assert.deepStrictEqual(
        [without.isInstalled, without.tables, without.hasPacked, without.first.reason],
        [false, 0, true, null]
      )
      assert.lengthOf(without.first.similarities, 3)
      assert.deepStrictEqual(without.later, without.first)
      assert.notDeepEqual(without.afterSave, without.first)

      const again = run()
      assert.deepStrictEqual(again.first.similarities, without.afterSave.similarities)
      assert.deepStrictEqual(again.later, again.first)
    }))

  it("builds the table once LanceDB is installed, and uses it only then", thoroughOnly, () =>
    withCopy((run, root) => {
      run()
      const library = installLibrary(root)
      const installed = run(library)
      assert.deepStrictEqual([installed.isInstalled, installed.first.reason], [true, null])
      assert.strictEqual(installed.tables, 1)
      const indexed = run(library)
      assert.deepStrictEqual(indexed.later, indexed.first)
      assert.deepStrictEqual(indexed.first.similarities, installed.afterSave.similarities)

      // Without the library again, the table is neither read nor removed.
      const removed = run()
      assert.deepStrictEqual([removed.tables, removed.isInstalled], [1, false])
      assert.deepStrictEqual(removed.first.similarities, indexed.afterSave.similarities)
    })
  )

  it("asks for the versions that the package is tested with", () => {
    for (const [name, version] of Object.entries(VectorLibrary.packages)) {
      assert.deepStrictEqual([manifest.devDependencies[name], manifest.peerDependencies[name]], [version, version])
      assert.isUndefined(manifest.dependencies[name])
    }
  })
})
