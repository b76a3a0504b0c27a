/** The script that every start loads, and the cache of its compiled functions. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { runInThisContext } from "node:vm"
import { thoroughOnly } from "../../../test/thorough.ts"
import { scriptOf } from "../build/scriptOf.ts"
import { bough, type TestFolder, withTestFolder } from "./program/Bough.ts"

type Script = (
  imports: Readonly<Record<string, unknown>>,
  load: (path: string) => unknown,
  meta: object
) => Readonly<Record<string, unknown>>

describe("scriptOf", () => {
  it("returns what the module exports, with its imports, its address and its imports at run time", () => {
    const { exports, imports, script } = scriptOf(
      [
        'import { a as b, c } from "./other.js"',
        "function late(name) { return import(name) }",
        "const text = 'import.meta import(\"x\") export {}'",
        "export { b as delete, c, late, text }",
        "var where = import.meta.url, isStrict = (function () { return this === undefined })()",
        "export { where as there, isStrict }"
      ].join("\n")
    )
    assert.deepStrictEqual(imports, ["./other.js"])
    assert.deepStrictEqual(exports, ["delete", "c", "late", "text", "there", "isStrict"])
    const run = runInThisContext(script) as Script
    const { late, ...rest } = run({ "./other.js": { a: 1, c: 2 } }, (path) => `loaded ${path}`, { url: "file:///x" })
    assert.deepStrictEqual(rest, {
      delete: 1,
      c: 2,
      text: 'import.meta import("x") export {}',
      there: "file:///x",
      isStrict: true
    })
    assert.strictEqual((late as (name: string) => string)("./y.js"), "loaded ./y.js")
  })

  it("refuses exports that change, since they are read once, and statements that it does not rewrite", () => {
    for (const change of [
      "a = 2",
      "a++",
      "[a] = [2]",
      "({ b: a } = { b: 2 })",
      "[...a] = [2]",
      "a ??= 2",
      "for (a of [2]);",
      "for (a in {});"
    ]) {
      const module = `var a = 1; function f() { ${change} } export { a, f }`
      assert.throws(() => scriptOf(module), "assigns to variables that it exports: a", change)
    }
    assert.deepStrictEqual(
      scriptOf("var a = { b: 1 }; a.b = 2; var c; c = a; for (const d of []); export { a }").exports,
      ["a"]
    )
    for (const module of ['export * from "./x.js"', "export default 1", "export var a = 1", 'import a from "./x.js"']) {
      assert.throws(() => scriptOf(module), "in another form", module)
    }
  })
})

/** The file with the compiled functions, in a cache of the place's own. */
const cached = (place: TestFolder) => {
  const root = join(place.root, "compiled")
  const directory = join(root, readdirSync(root)[0])
  const names = readdirSync(directory).filter((name) => name.startsWith("bough-"))
  assert.strictEqual(names.length, 1)
  const path = join(directory, names[0])
  const { mode, mtimeMs, size } = statSync(path)
  return { path, size, mtimeMs, mode: mode & 0o777 }
}

const started = async (place: TestFolder, args: ReadonlyArray<string>, options = "") => {
  const env = { NODE_COMPILE_CACHE: join(place.root, "compiled"), NODE_OPTIONS: options }
  assert.strictEqual((await bough(place, args, { env })).code, 0)
  return cached(place)
}

const run = ["run", "--model", "offline/planner", "hi"]
const version = ["--version"]
const hourAgo = () => new Date(Date.now() - 3_600_000)

describe("the cache of compiled functions", () => {
  it("is written by the first process, and used by later ones", () =>
    withTestFolder(async (place) => {
      const first = await started(place, version)
      assert.isAbove(first.size, 500_000)
      assert.strictEqual(first.mode, 0o600)
      // The engine rejects code that does not fit, and a process whose code was rejected writes it again.
      assert.deepStrictEqual(await started(place, version), first)
    }))

  it("grows with the functions that later processes compile", thoroughOnly, () =>
    withTestFolder(async (place) => {
      const first = await started(place, version)
      assert.deepStrictEqual(await started(place, run), first)
      utimesSync(first.path, hourAgo(), hourAgo())
      const second = await started(place, run)
      assert.isAbove(second.size, first.size * 1.1)
      utimesSync(first.path, hourAgo(), hourAgo())
      const third = await started(place, run)
      assert.strictEqual(third.size, second.size)
      // The file's time was renewed, so that the cache is not measured again soon.
      assert.isAbove(third.mtimeMs, hourAgo().getTime() + 1_800_000)
    })
  )

  it("is used after a process that changed the engine's flags before its end", thoroughOnly, () =>
    withTestFolder(async (place) => {
      const set = `process.on("exit", () => process.getBuiltinModule("v8").setFlagsFromString("--optimize-for-size"))`
      const first = await started(place, version, `--import=data:text/javascript,${encodeURIComponent(set)}`)
      assert.deepStrictEqual(await started(place, version), first)
    })
  )

  it("is written again if it is damaged, and loses the code of versions that were not started for a month", () =>
    withTestFolder(async (place) => {
      const { path, size } = await started(place, version)
      const other = `${path.slice(0, -8)}abcd.cjs`
      writeFileSync(other, "")
      const long = new Date(Date.now() - 31 * 24 * 3_600_000)
      utimesSync(other, long, long)
      for (const damage of [Buffer.alloc(0), Buffer.alloc(size), readFileSync(path).subarray(0, size - 5000)]) {
        writeFileSync(path, damage)
        const again = await started(place, version)
        assert.strictEqual(again.path, path)
        assert.isAbove(again.size, size * 0.9)
      }
      assert.isFalse(existsSync(other))
    }))

  it("leaves no other file if it cannot be written", thoroughOnly, () =>
    withTestFolder(async (place) => {
      const { path } = await started(place, version)
      rmSync(path)
      mkdirSync(path)
      // This fails if there is another file.
      assert.strictEqual((await started(place, version)).path, path)
    })
  )

  it("is not used if Node's compile cache is disabled", thoroughOnly, () =>
    withTestFolder(async (place) => {
      const env = { NODE_COMPILE_CACHE: join(place.root, "compiled"), NODE_DISABLE_COMPILE_CACHE: "1" }
      assert.strictEqual((await bough(place, version, { env })).code, 0)
      assert.isFalse(existsSync(env.NODE_COMPILE_CACHE))
    })
  )
})
