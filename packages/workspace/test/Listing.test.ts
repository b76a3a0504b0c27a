import type { WorkspaceRead } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { thoroughOnly } from "../../../test/thorough.ts"
import { command, open, put, words } from "./Scratch.ts"

const plain: WorkspaceRead.ListOptions = { recursive: false, hidden: false, ignored: false, measure: false, limit: 100 }
const paths = ({ items }: WorkspaceRead.ListResult<WorkspaceRead.FileInfo>): ReadonlyArray<string> =>
  items.map((item) => item.path)

const project = {
  ".gitignore": "node_modules/\n*.log\n!keep.log\n/build\ndocs/*.tmp\n# a comment\n\nspaced \n",
  ".hidden/x.ts": "",
  ".env": "KEY=1",
  ".bough/config.jsonc": "{}",
  ".git/HEAD": "ref: refs/heads/main\n",
  "a.ts": "one\ntwo\n",
  "build/out.js": "",
  "docs/a.md": "",
  "docs/b.tmp": "",
  "docs/sub/.gitignore": "*.md\n!c.md\n",
  "docs/sub/b.md": "",
  "docs/sub/c.md": "",
  "keep.log": "",
  "lib/build/in.js": "",
  "node_modules/m/index.js": "",
  "server.pem": "key",
  "x.log": ""
}

describe("WorkspaceRead.list", () => {
  it.live("shows one level without hidden, ignored and forbidden entries, sorted", () =>
    Effect.gen(function* () {
      const { read } = yield* open(project)
      assert.deepStrictEqual(paths(yield* read.list(".", plain)), ["a.ts", "docs", "keep.log", "lib"])
      assert.deepStrictEqual(paths(yield* read.list(".", { ...plain, hidden: true })), [
        ".env",
        ".git",
        ".gitignore",
        ".hidden",
        "a.ts",
        "docs",
        "keep.log",
        "lib"
      ])
      assert.deepStrictEqual(paths(yield* read.list(".", { ...plain, ignored: true })), [
        "a.ts",
        "build",
        "docs",
        "keep.log",
        "lib",
        "node_modules",
        "x.log"
      ])
      assert.deepStrictEqual(paths(yield* read.list("docs", plain)), ["docs/a.md", "docs/sub"])
      assert.deepStrictEqual(paths(yield* read.list("docs/sub", plain)), ["docs/sub/c.md"])
    })
  )

  it.live("shows a tree by the same rules", () =>
    Effect.gen(function* () {
      const { read } = yield* open(project)
      assert.deepStrictEqual(paths(yield* read.list(".", { ...plain, recursive: true })), [
        "a.ts",
        "docs/a.md",
        "docs/sub/c.md",
        "keep.log",
        "lib/build/in.js"
      ])
      const hidden = paths(yield* read.list(".", { ...plain, recursive: true, hidden: true }))
      assert.include(hidden, ".hidden/x.ts")
      assert.deepStrictEqual(
        hidden.filter((name) => /\.git\/|\.bough|pem/.test(name)),
        []
      )
      assert.deepStrictEqual(paths(yield* read.list("docs/sub", { ...plain, recursive: true })), ["docs/sub/c.md"])
      assert.include(
        paths(yield* read.list(".", { ...plain, recursive: true, ignored: true })),
        "node_modules/m/index.js"
      )
    })
  )

  it.live(
    "agrees with git about ignored entries, one by one",
    (context) =>
      Effect.gen(function* () {
        if (spawnSync("git", ["--version"]).status !== 0) return context.skip("needs git")
        const { at, read, root } = yield* open({ ".gitignore": "" })
        command("git", ["init", "-q"], root)
        const rules = [
          "a",
          "/a",
          "a/",
          "*.x",
          "!b.x",
          "sub/a",
          "/sub/*",
          "**/deep",
          "sub/**",
          "{a,b}",
          "[ab]",
          "\\!odd",
          "a*b"
        ]
        const files = [
          "a/f",
          "b.x",
          "c.x",
          "sub/a",
          "sub/b.x",
          "sub/deep/f",
          "deep/f",
          "{a,b}",
          "!odd",
          "axb",
          "b",
          "sub2/a"
        ]
        for (const name of files) put(root, { [name]: "" })
        for (let round = 0; round < rules.length; round++) {
          const chosen = [rules[round], rules[(round * 5 + 3) % rules.length], rules[(round * 7 + 1) % rules.length]]
          fs.writeFileSync(at(".gitignore"), `${chosen.join("\n")}\n`)
          for (const folder of [".", "sub"]) {
            const shown = paths(yield* read.list(folder, { ...plain, hidden: true }))
            const entries = fs.readdirSync(at(folder)).map((name) => path.join(folder, name))
            const ignored = spawnSync("git", ["check-ignore", "--no-index", "-z", "--stdin"], {
              cwd: root,
              input: entries.join("\0"),
              encoding: "utf8"
            }).stdout.split("\0")
            const parentIsIgnored =
              folder === "sub" && spawnSync("git", ["check-ignore", "-q", "sub"], { cwd: root }).status === 0
            if (parentIsIgnored) continue
            const expected = entries.filter((name) => !ignored.includes(name)).toSorted()
            assert.deepStrictEqual(shown, expected, `${folder} under ${JSON.stringify(chosen)}`)
          }
        }
      }),
    thoroughOnly
  )

  it.live("ends in a deep directory with rules that have many wildcards for directories", () =>
    Effect.gen(function* () {
      const deep = Array.from({ length: 60 }, () => "a").join("/")
      const { read } = yield* open({
        ".git/HEAD": "",
        ".gitignore": `${"a/**/".repeat(20)}b\n${"*/**/".repeat(20)}c\n/**/a/b.log\n`,
        [`${deep}/b.log`]: "",
        [`${deep}/d`]: ""
      })
      assert.deepStrictEqual(paths(yield* read.list(deep, plain)), [`${deep}/d`])
    })
  )

  it.live("obeys the rules of the repository that the workspace is a part of", () =>
    Effect.gen(function* () {
      const { at } = yield* open({
        ".git/HEAD": "",
        ".gitignore": "out/\n/part/local\n",
        "part/out/x": "",
        "part/local": "",
        "part/a": ""
      })
      const { read } = yield* open({}, { root: at("part") })
      assert.deepStrictEqual(paths(yield* read.list(".", plain)), ["a"])
      assert.deepStrictEqual(paths(yield* read.list(".", { ...plain, recursive: true })), ["a"])
    })
  )

  it.live("counts lines and recognises binary files when asked, but reads no secret", () =>
    Effect.gen(function* () {
      const { at, read } = yield* open({
        ".env": "KEY=1\n",
        binary: new Uint8Array([1, 0, 2]),
        empty: "",
        three: "1\n2\n3",
        wide: Buffer.from("\uFEFFa\nb\n", "utf16le")
      })
      fs.symlinkSync("three", at("link"))
      fs.mkdirSync(at("dir"))
      const { items } = yield* read.list(".", { ...plain, hidden: true, measure: true })
      assert.deepStrictEqual(
        items.map(({ binary, kind, lines, path: name }) => [name, kind, lines, binary]),
        [
          [".env", "file", undefined, undefined],
          ["binary", "file", undefined, true],
          ["dir", "directory", undefined, undefined],
          ["empty", "file", 0, false],
          ["link", "symlink", undefined, undefined],
          ["three", "file", 3, false],
          ["wide", "file", 2, false]
        ]
      )
    })
  )

  it.live("reports that the limit truncated the list", () =>
    Effect.gen(function* () {
      const { read } = yield* open({ a: "", b: "", c: "", "d/e": "" })
      for (const recursive of [false, true]) {
        const two = yield* read.list(".", { ...plain, recursive, limit: 2 })
        assert.deepStrictEqual([paths(two), two.truncated], [["a", "b"], true])
        assert.isFalse((yield* read.list(".", { ...plain, recursive, limit: 4 })).truncated)
      }
    })
  )

  it.live("names a missing directory, a file, and one outside", () =>
    Effect.gen(function* () {
      const { at, outside, read } = yield* open({ "a.txt": "" })
      fs.symlinkSync(outside, at("out"))
      for (const recursive of [false, true]) {
        const failure = (name: string) => Effect.map(Effect.flip(read.list(name, { ...plain, recursive })), words)
        assert.match(yield* failure("none"), /there is no file or directory/)
        assert.match(yield* failure("a.txt"), /is not a directory/)
        assert.match(yield* failure("out"), /SymlinkEscape/)
        assert.match(yield* failure(".."), /PathEscape/)
        assert.match(yield* failure(".ssh"), /Protected/)
      }
    })
  )
})

describe("WorkspaceRead.find", () => {
  const found = (listed: WorkspaceRead.ListResult<string>): ReadonlyArray<string> => listed.items

  it.live("matches below the directory, names alone at any depth", () =>
    Effect.gen(function* () {
      const { read } = yield* open({
        "a.ts": "",
        "src/b.ts": "",
        "src/deep/c.tsx": "",
        "src/deep/d.js": "",
        "src/e ts": ""
      })
      const find = (glob: string, from = ".") => Effect.map(read.find(glob, from, 100), found)
      assert.deepStrictEqual(yield* find("*.ts"), ["a.ts", "src/b.ts"])
      assert.deepStrictEqual(yield* find("./*.ts"), ["a.ts", "src/b.ts"])
      assert.deepStrictEqual(yield* find("src/*.ts"), ["src/b.ts"])
      assert.deepStrictEqual(yield* find("**/*.{ts,tsx}"), ["a.ts", "src/b.ts", "src/deep/c.tsx"])
      assert.deepStrictEqual(yield* find("*.ts*", "src"), ["src/b.ts", "src/deep/c.tsx"])
      assert.deepStrictEqual(yield* find("deep/*", "src"), ["src/deep/c.tsx", "src/deep/d.js"])
      assert.deepStrictEqual(yield* find("src/{deep/c,b}.ts*"), ["src/b.ts", "src/deep/c.tsx"])
      assert.deepStrictEqual(yield* find("[a-b].ts"), ["a.ts", "src/b.ts"])
      assert.deepStrictEqual(yield* find("e ts"), ["src/e ts"])
      assert.deepStrictEqual(yield* find("nothing*"), [])
    })
  )

  it.live("skips ignored files, even if the glob names all, and hidden files that it does not name", () =>
    Effect.gen(function* () {
      const { read } = yield* open(project)
      assert.deepStrictEqual(found(yield* read.find("**/*", ".", 100)), [
        "a.ts",
        "docs/a.md",
        "docs/sub/c.md",
        "keep.log",
        "lib/build/in.js"
      ])
      assert.deepStrictEqual(found(yield* read.find("*.log", ".", 100)), ["keep.log"])
      assert.deepStrictEqual(found(yield* read.find(".hidden/*.ts", ".", 100)), [".hidden/x.ts"])
      assert.deepStrictEqual(found(yield* read.find(".git/**", ".", 100)), [])
      assert.deepStrictEqual(found(yield* read.find("*.pem", ".", 100)), [])
      assert.deepStrictEqual(found(yield* read.find(".bough/**", ".", 100)), [])
    })
  )

  it.live("ends if links form a cycle, and follows none", () =>
    Effect.gen(function* () {
      const { at, outside, read } = yield* open({ "a/b/x.ts": "" })
      fs.symlinkSync("..", at("a/b/up"))
      fs.symlinkSync(outside, at("a/out"))
      assert.deepStrictEqual(found(yield* read.find("**/*.ts", ".", 100)), ["a/b/x.ts"])
      assert.deepStrictEqual(found(yield* read.find("secret", ".", 100)), [])
    })
  )

  it.live("refuses braces that expand to millions of globs, and accepts ordinary ones", () =>
    Effect.gen(function* () {
      const { read } = yield* open({ a: "" })
      for (const glob of [
        "{a,b}".repeat(24),
        `${"{".repeat(9)}a${",b,c}".repeat(9)}${"{a,b,c}".repeat(9)}`,
        "x".repeat(2000)
      ]) {
        const error = yield* Effect.flip(read.find(glob, ".", 100))
        assert(error._tag === "ValidationError")
        assert.strictEqual(error.field, "glob")
      }
      assert.deepStrictEqual(found(yield* read.find("{a,b}{,c}{,d}", ".", 100)), ["a"])
    })
  )

  it.live("stops at the limit in a directory of thousands, and ends ripgrep when it is interrupted", () =>
    Effect.gen(function* () {
      const { read, root } = yield* open()
      for (let index = 0; index < 1000; index++) fs.closeSync(fs.openSync(path.join(root, `f${index}`), "w"))
      const { items, truncated } = yield* read.find("**/*", ".", 50)
      assert.strictEqual(items.length, 50)
      assert.isTrue(truncated)
      const program = path.join(root, "rg")
      fs.writeFileSync(program, "#!/bin/sh\necho $$ > pid\nexec sleep 1000\n", { mode: 0o755 })
      const slow = yield* open({}, { root, ripgrep: program })
      const fiber = yield* Effect.forkChild(slow.read.find("**/*", ".", 50))
      const pid = yield* Effect.suspend(() =>
        fs.existsSync(path.join(root, "pid"))
          ? Effect.succeed(fs.readFileSync(path.join(root, "pid"), "utf8"))
          : Effect.fail("not yet")
      ).pipe(
        Effect.filterOrFail((text) => text.endsWith("\n")),
        Effect.retry({ schedule: Schedule.spaced("5 millis") })
      )
      yield* Fiber.interrupt(fiber)
      assert.isFalse(fs.existsSync(`/proc/${pid.trim()}/cwd`))
    })
  )
})
