/** The code tools over real files, grammars and threads. */
import { packFilesSpec } from "@bough/tool/testing/packFilesSpec"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { createHash } from "node:crypto"
import * as fs from "node:fs"
import { thoroughOnly } from "../../../test/thorough.ts"
import { CodePack, FindSymbols, MapRepository, OutlineFile } from "../src/index.ts"
import { parse } from "../src/internal/parsing.ts"
import { kinds } from "../src/internal/Symbols.ts"
import { open } from "./Harness.ts"

packFilesSpec("CodePack", CodePack.all, new URL("../src", import.meta.url))

const fixtures = new URL("fixtures/", import.meta.url)
const samples = Object.fromEntries(
  fs
    .readdirSync(fixtures)
    .filter((name) => /^sample/iu.test(name))
    .map((name) => [name.replace(/\.txt$/u, ""), fs.readFileSync(new URL(name, fixtures))])
)

const digestOf = (bytes: Uint8Array): string => `sha256:${createHash("sha256").update(bytes).digest("hex")}`

describe("the code tools", () => {
  it.live(
    "outline_file finds the declarations of each language",
    () =>
      Effect.gen(function* () {
        const { call } = yield* open(samples)
        const found = new Set<string>()
        const lines: Array<string> = []
        for (const [name, bytes] of Object.entries(samples)) {
          const { output } = yield* call(OutlineFile, { path: name })
          lines.push(`== ${name} (${output.language})`)
          for (const symbol of output.symbols) {
            found.add(symbol.kind)
            const { column, container, doc, endByte, endLine, kind, line, signature, startByte } = symbol
            const whole = container === null ? symbol.name : `${container}.${symbol.name}`
            lines.push(`${line}:${column}-${endLine} ${kind} ${whole} | ${signature} | ${JSON.stringify(doc)}`)
            const span = bytes.subarray(startByte, endByte)
            assert.strictEqual(symbol.digest, digestOf(span), `${name} ${symbol.name}`)
            assert.include(span.toString(), symbol.name)
          }
        }
        const golden = new URL("symbols.txt", fixtures)
        if (process.env["BOUGH_RENEW_GOLDEN"] === "1") fs.writeFileSync(golden, `${lines.join("\n")}\n`)
        assert.strictEqual(`${lines.join("\n")}\n`, fs.readFileSync(golden, "utf8"))
        assert.deepStrictEqual([...found].toSorted(), [...kinds].toSorted())
      }),
    thoroughOnly
  )

  it.live("find_symbols ranks exact names first and narrows by container, kind and path", () =>
    Effect.gen(function* () {
      const { call } = yield* open({
        "a.ts": "export class Loader { load() {} }\nexport const loadAll = 1\n",
        "lib/b.py": "def load():\n    '''Loads it.'''\n    pass\n\ndef unload(): pass\n",
        ".gitignore": "ignored/\n",
        "ignored/c.ts": "export function load() {}\n",
        "readme.md": "# load\n"
      })
      const names = (found: { readonly symbols: ReadonlyArray<{ readonly path: string; readonly name: string }> }) =>
        found.symbols.map(({ name, path }) => `${path} ${name}`)
      const { display, output, text } = yield* call(FindSymbols, { name: "load" })
      assert.deepStrictEqual(names(output), [
        "a.ts load",
        "lib/b.py load",
        "a.ts Loader",
        "a.ts loadAll",
        "lib/b.py unload"
      ])
      assert.strictEqual(display, "Found 5 symbols for load")
      assert.include(text, "lib/b.py:1-3 function load: def load()\n    Loads it.")
      assert.deepStrictEqual(names((yield* call(FindSymbols, { name: "Loader.load" })).output), ["a.ts load"])
      assert.deepStrictEqual(names((yield* call(FindSymbols, { name: "load", kinds: ["class"] })).output), [
        "a.ts Loader"
      ])
      assert.deepStrictEqual(names((yield* call(FindSymbols, { name: "LOAD", path: "lib" })).output), [
        "lib/b.py load",
        "lib/b.py unload"
      ])
      const cut = yield* call(FindSymbols, { name: "load", limit: 1 })
      assert.deepStrictEqual([cut.output.symbols.length, cut.output.truncated], [1, true])
      assert.include((yield* call(FindSymbols, { name: "nothing" })).text, "no symbol matches")
    })
  )

  it.live("withheld files and links out of the workspace are not shown", () =>
    Effect.gen(function* () {
      const { call, root } = yield* open({ "a.py": "def seen(): pass\n", "private/b.py": "def unseen(): pass\n" }, [
        { path: "private/", rule: "private/" }
      ])
      fs.symlinkSync("/etc", `${root}/out`)
      const { output } = yield* call(FindSymbols, { name: "seen" })
      assert.deepStrictEqual(
        output.symbols.map(({ name }) => name),
        ["seen"]
      )
      const outside = yield* Effect.flip(call(OutlineFile, { path: "out/x.py" }))
      assert.strictEqual(outside._tag, "PermissionDenied")
    })
  )

  it.live("map_repository shows the most referenced declarations first, within its budget", () =>
    Effect.gen(function* () {
      const users = Object.fromEntries(
        Array.from({ length: 30 }, (_, at) => [
          `users/u${at}.ts`,
          `import { central } from "../z.ts"\nexport const user${at} = central(${at}) // rarely\n`
        ])
      )
      const { call } = yield* open({
        ...users,
        "a.ts": "export function rarely() {}\n",
        "z.ts": "export function quiet() {}\nexport function central(n: number) { return n }\n"
      })
      const { output, text } = yield* call(MapRepository, { maxTokens: 100 })
      assert.strictEqual(output.files[0]?.path, "z.ts")
      assert.deepStrictEqual(
        output.files[0]?.symbols.map(({ name, references }) => [name, references]),
        [["central", 60]]
      )
      assert.isAbove(output.files.length, 1)
      assert.isAbove(output.omittedFiles, 10)
      assert.isAtMost(text.length, 100 * 3 + 60)
      const all = yield* call(MapRepository, { maxTokens: 16_000 })
      assert.strictEqual(all.output.files.length, 32)
      // A comment is not a reference.
      const rarely = all.output.files.find(({ path }) => path === "a.ts")
      assert.strictEqual(rarely?.symbols[0]?.references, 0)
    })
  )

  it.live("map_repository resolves a name to the imported file, through packages and files that re-export it", () =>
    Effect.gen(function* () {
      const user = (from: string) => `import { load } from "${from}"\nexport const used = [load(), load()]\n`
      const { call } = yield* open({
        "packages/store/package.json": `{ "name": "@acme/store", "exports": { ".": "./src/index.ts", "./*": "./src/*.ts" } }`,
        "packages/store/src/index.ts": `export * from "./disk.ts"\n`,
        "packages/store/src/disk.ts": "export const load = () => 1\nconst type = 2\n",
        "packages/other/decoy.ts": "export const load = () => 2\n",
        "packages/app/a.ts": user("@acme/store"),
        "packages/app/b.ts": user("@acme/store/disk"),
        "packages/app/c.ts": user("../store/src/disk.js"),
        "packages/app/d.ts": `import fs from "node:fs"\nexport const type = fs.load\n`,
        "packages/app/e.js": `const store = require("../store/src")\nstore.load()\n`,
        "py/core/tree.py": "def grow():\n    pass\n",
        "py/core/__init__.py": "",
        "py/decoy.py": "def grow():\n    pass\n",
        "py/main.py": "from core import tree\ntree.grow()\n",
        "py/core/leaf.py": "from .tree import (\n    grow as more,\n)\nmore()\ngrow = more\n",
        "c/decoy.h": "int spin(void);\n",
        "c/wheel.h": "int spin(void);\n",
        "c/main.c": '#include "wheel.h"\nint main(void) { return spin(); }\n',
        "go/wheel/wheel.go": "package wheel\nfunc Turn() {}\n",
        "go/decoy/decoy.go": "package decoy\nfunc Turn() {}\n",
        "go/main.go": 'package main\nimport "example.com/m/go/wheel"\nfunc main() { wheel.Turn() }\n',
        "java/x/Wheel.java": "package x;\npublic class Wheel { }\n",
        "java/y/Wheel.java": "package y;\npublic class Wheel { }\n",
        "java/z/Car.java": "package z;\nimport x.Wheel;\nclass Car { Wheel wheel; }\n"
      })
      const { output } = yield* call(MapRepository, { maxTokens: 16_000 })
      const referencesOf = (path: string, symbol: string) =>
        output.files.find((file) => file.path === path)?.symbols.find(({ name }) => name === symbol)?.references
      assert.strictEqual(referencesOf("packages/store/src/disk.ts", "load"), 3 * 3 + 1)
      assert.strictEqual(referencesOf("packages/other/decoy.ts", "load"), 0)
      // The symbol is not exported: the same word in another file means something else.
      assert.strictEqual(referencesOf("packages/store/src/disk.ts", "type"), 0)
      assert.deepStrictEqual([referencesOf("py/core/tree.py", "grow"), referencesOf("py/decoy.py", "grow")], [1, 0])
      assert.deepStrictEqual([referencesOf("c/wheel.h", "spin"), referencesOf("c/decoy.h", "spin")], [1, 0])
      assert.deepStrictEqual(
        [referencesOf("go/wheel/wheel.go", "Turn"), referencesOf("go/decoy/decoy.go", "Turn")],
        [1, 0]
      )
      assert.deepStrictEqual(
        [referencesOf("java/x/Wheel.java", "Wheel"), referencesOf("java/y/Wheel.java", "Wheel")],
        [2, 0]
      )
      assert.strictEqual(output.files[0]?.path, "packages/store/src/disk.ts")
    })
  )

  it.live("hostile files are read within their limits or named, and do not affect the others", () =>
    Effect.gen(function* () {
      const invalid = Buffer.concat([
        Buffer.from("# "),
        Buffer.from([0xff, 0xfe, 0x80]),
        Buffer.from("\ndef after(): pass\n")
      ])
      const { call } = yield* open({
        "deep.js": `${"[".repeat(50_000)}\nfunction afterDeep() {}`,
        "nested.ts": `${"function f() {".repeat(5000)}${"}".repeat(5000)}`,
        "huge.js": `const x = "${"a".repeat(5 * 1024 ** 2)}"`,
        "long.js": `const y = [${"1,".repeat(800_000)}]`,
        "invalid.py": invalid,
        "zero.c": Buffer.alloc(10_000),
        "bom.ts": "\uFEFFexport const withBom = 1\n",
        "empty.rb": "",
        "good.ts": "export const good = 1\n"
      })
      const { output } = yield* call(FindSymbols, { name: "after", path: "invalid.py" })
      const [after] = output.symbols
      assert.deepStrictEqual([after?.line, after?.startByte], [2, 6])
      assert.strictEqual(after?.digest, digestOf(Buffer.from("def after(): pass")))
      const mapped = yield* call(MapRepository, { maxTokens: 16_000 })
      const paths = mapped.output.files.map(({ path }) => path)
      assert.includeMembers(paths, ["good.ts", "bom.ts", "invalid.py"])
      assert.isTrue(mapped.output.skipped.some(({ path }) => path === "huge.js"))
      const refused = yield* Effect.flip(call(OutlineFile, { path: "huge.js" }))
      assert.match(refused.message ?? "", /bytes|MiB|large/u)
      assert.strictEqual((yield* call(OutlineFile, { path: "bom.ts" })).output.symbols[0]?.name, "withBom")
      assert.strictEqual((yield* call(OutlineFile, { path: "empty.rb" })).text, "[no declarations]")
    })
  )

  it.live(
    "a file that ends the thread is named, and the others of its batch are read",
    () =>
      Effect.gen(function* () {
        const bytes = new TextEncoder().encode("def read(): pass\n")
        const [ended, read] = yield* parse([
          { language: "of no grammar", bytes },
          { language: "python", bytes }
        ])
        assert.strictEqual(ended, "there is no grammar for of no grammar")
        assert.deepStrictEqual(typeof read === "object" ? read.symbols.map(({ name }) => name) : read, ["read"])
      }),
    thoroughOnly
  )

  it.live("a directory has no outline, and a text file no grammar", () =>
    Effect.gen(function* () {
      const { call } = yield* open({ "a/b.ts": "", "a/c.ts": "", "notes.txt": "x" })
      assert.match((yield* Effect.flip(call(OutlineFile, { path: "a" }))).message ?? "", /map_repository/u)
      assert.match((yield* Effect.flip(call(OutlineFile, { path: "notes.txt" }))).message ?? "", /no grammar/u)
      assert.strictEqual((yield* Effect.flip(call(OutlineFile, { path: "gone.ts" })))._tag, "ExecutionError")
    })
  )
})
