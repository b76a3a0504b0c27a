import { Canonical, ToolError } from "@bough/protocol"
import { Grant, type WorkspaceRead } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import { thoroughOnly } from "../../../test/thorough.ts"
import { canary, command, open, words } from "./Scratch.ts"

const options: WorkspaceRead.SearchOptions = {
  pattern: "needle",
  path: ".",
  globs: [],
  caseSensitive: true,
  literal: false,
  contextLines: 0,
  limit: 100
}

const places = ({ items }: WorkspaceRead.ListResult<WorkspaceRead.SearchHit>): ReadonlyArray<string> =>
  items.map(({ line, path }) => `${path}:${line}`)

describe("WorkspaceRead.search", () => {
  it.live("finds lines, with their bytes and the digest of those bytes", () =>
    Effect.gen(function* () {
      const text = "hay\nein Nädelchen: needle\nhay\n"
      const { read } = yield* open({ "b.txt": text, "a/c.txt": "needle" })
      const { items, truncated } = yield* read.search({ ...options, contextLines: 1 })
      const line = "ein Nädelchen: needle\n"
      assert.isFalse(truncated)
      assert.deepStrictEqual(items, [
        {
          path: "a/c.txt",
          line: 1,
          endLine: 1,
          startByte: 0,
          endByte: 6,
          text: "needle",
          before: [],
          after: [],
          digest: Canonical.digest("needle")
        },
        {
          path: "b.txt",
          line: 2,
          endLine: 2,
          startByte: 4,
          endByte: 4 + Buffer.byteLength(line),
          text: line.trimEnd(),
          before: ["hay"],
          after: ["hay"],
          digest: Canonical.digest(line)
        }
      ])
    })
  )

  it.live("finds them in UTF-16, with a byte order mark, in Latin-1 and with CRLF", () =>
    Effect.gen(function* () {
      const files = {
        bom: Buffer.from("\uFEFFneedle\n"),
        crlf: Buffer.from("x\r\nneedle\r\ny\r\n"),
        latin1: Buffer.from("caf\xE9 needle\n", "latin1"),
        utf16be: Buffer.from("\uFEFFx\n\u010A needle\n", "utf16le").swap16(),
        utf16le: Buffer.from("\uFEFFx\n\u0A0A needle\n", "utf16le")
      }
      const { read } = yield* open(files)
      const { items } = yield* read.search({ ...options, contextLines: 1 })
      assert.deepStrictEqual(
        items.map(({ before, line, path, text }) => [path, line, text, before]),
        [
          ["bom", 1, "needle", []],
          ["crlf", 2, "needle", ["x"]],
          ["latin1", 1, "café needle", []],
          ["utf16be", 2, "\u010A needle", ["x"]],
          ["utf16le", 2, "\u0A0A needle", ["x"]]
        ]
      )
      for (const { digest, endByte, path, startByte } of items) {
        assert.strictEqual(digest, Canonical.digest(files[path as keyof typeof files].subarray(startByte, endByte)))
      }
      assert.deepStrictEqual(places(yield* read.search({ ...options, pattern: "^needle$" })), ["bom:1", "crlf:2"])
    })
  )

  it.live("accepts globs by ripgrep's rules, and still skips ignored files", () =>
    Effect.gen(function* () {
      const { read } = yield* open({
        ".gitignore": "out/\nskip.ts\n",
        ".config/a.ts": "needle",
        "a.ts": "needle",
        "b.js": "needle",
        "out/c.ts": "needle",
        "skip.ts": "needle",
        "src/d.ts": "needle",
        "src/e.test.ts": "needle"
      })
      const search = (...globs: ReadonlyArray<string>) => Effect.map(read.search({ ...options, globs }), places)
      assert.deepStrictEqual(yield* search(), ["a.ts:1", "b.js:1", "src/d.ts:1", "src/e.test.ts:1"])
      assert.deepStrictEqual(yield* search("*.ts"), ["a.ts:1", "src/d.ts:1", "src/e.test.ts:1"])
      assert.deepStrictEqual(yield* search("**/*"), ["a.ts:1", "b.js:1", "src/d.ts:1", "src/e.test.ts:1"])
      assert.deepStrictEqual(yield* search("src/**"), ["src/d.ts:1", "src/e.test.ts:1"])
      assert.deepStrictEqual(yield* search("*.ts", "!*.test.ts"), ["a.ts:1", "src/d.ts:1"])
      assert.deepStrictEqual(yield* search("!src"), ["a.ts:1", "b.js:1"])
      assert.deepStrictEqual(yield* search("src/**", "*.js"), ["b.js:1", "src/d.ts:1", "src/e.test.ts:1"])
      assert.deepStrictEqual(yield* search(".config/**"), [".config/a.ts:1"])
      const error = yield* Effect.flip(read.search({ ...options, globs: ["{a,b}".repeat(24)] }))
      assert.match(words(error), /ValidationError .*braces/)
    })
  )

  it.live("searches one file or one directory, through a link that stays inside", () =>
    Effect.gen(function* () {
      const { at, outside, read } = yield* open({ "a.txt": "needle", "d/b.txt": "needle", "d/c.txt": "needle" })
      fs.symlinkSync("d", at("link"))
      fs.symlinkSync(outside, at("out"))
      const search = (path: string, pattern = "needle") =>
        Effect.map(read.search({ ...options, path, pattern }), places)
      assert.deepStrictEqual(yield* search("a.txt"), ["a.txt:1"])
      assert.deepStrictEqual(yield* search("d"), ["d/b.txt:1", "d/c.txt:1"])
      assert.deepStrictEqual(yield* search("link/b.txt"), ["d/b.txt:1"])
      assert.deepStrictEqual(yield* search(".", "canary"), [])
      assert.match(words(yield* Effect.flip(read.search({ ...options, path: "out" }))), /SymlinkEscape/)
      assert.match(
        words(yield* Effect.flip(read.search({ ...options, path: "none" }))),
        /there is no file or directory/
      )
    })
  )

  it.live("accepts patterns that look like flags, plain text, and case-insensitive ones", () =>
    Effect.gen(function* () {
      const { read } = yield* open({ "-rf": "--needle (x", b: "NEEDLE" })
      const search = (change: Partial<WorkspaceRead.SearchOptions>) =>
        Effect.map(read.search({ ...options, ...change }), places)
      assert.deepStrictEqual(yield* search({ pattern: "--needle" }), ["-rf:1"])
      assert.deepStrictEqual(yield* search({ pattern: "--needle", path: "-rf" }), ["-rf:1"])
      assert.deepStrictEqual(yield* search({ pattern: "needle (x", literal: true }), ["-rf:1"])
      assert.deepStrictEqual(yield* search({ pattern: "n..dle", literal: true }), [])
      assert.deepStrictEqual(yield* search({ caseSensitive: false }), ["-rf:1", "b:1"])
    })
  )

  it.live("reports an invalid pattern as a mistake in the pattern", () =>
    Effect.gen(function* () {
      const { read } = yield* open({ a: "x" })
      for (const pattern of ["(", "a{2000000000}", "\\p{Nope}", "a\nb"]) {
        const error = yield* Effect.flip(read.search({ ...options, pattern }))
        assert(error._tag === "ValidationError", pattern)
        assert.strictEqual(error.field, "pattern")
      }
    })
  )

  it.live("shows nothing of secrets, keys, state, binary files, devices and FIFOs", () =>
    Effect.gen(function* () {
      const { at, read, workspace } = yield* open({
        ".bough/x": "needle",
        ".env": "needle",
        ".git/config": "needle",
        binary: Buffer.from("needle\0needle\n"),
        "key.pem": "needle",
        "prod.env": "needle"
      })
      command("mkfifo", [at("fifo")])
      for (const globs of [[], [".*"], ["**"], [".env", ".git/**", ".bough/**"]]) {
        assert.deepStrictEqual(places(yield* read.search({ ...options, globs })), [])
      }
      assert.match(words(yield* Effect.flip(read.search({ ...options, path: ".env" }))), /SecretFile/)
      assert.match(words(yield* Effect.flip(read.search({ ...options, path: "key.pem" }))), /Protected/)
      assert.match(words(yield* Effect.flip(read.search({ ...options, path: "fifo" }))), /NotRegular/)
      const granted = workspace.read([Grant.Grant.cases.Path.make({ path: ".env" })])
      assert.deepStrictEqual(places(yield* granted.search({ ...options, path: ".env" })), [".env:1"])
    })
  )

  it.live("shows no file that ripgrep saw and the walk does not: one that changed, or was replaced", () =>
    Effect.gen(function* () {
      const { at, outside, root } = yield* open({ "a.txt": "now\n", "same.txt": "needle\n" })
      fs.symlinkSync(outside, at("out"))
      const match = (path: string, text: string) =>
        JSON.stringify({
          type: "match",
          data: { path: { text: path }, lines: { text }, line_number: 1, submatches: [{ start: 0, end: 6 }] }
        })
      const lines = [
        match("./a.txt", "needle\n"),
        match("./out/secret", `${canary}\n`),
        match("./../outside/secret", `${canary}\n`),
        match("./none.txt", "needle\n"),
        match("./same.txt", "needle\n"),
        `{"type":"match","data":{"path"`
      ]
      const program = at("rg")
      fs.writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' '${lines.join("' '")}'\n`, { mode: 0o755 })
      const { read } = yield* open({}, { root, ripgrep: program })
      assert.deepStrictEqual(places(yield* read.search(options)), ["same.txt:1"])
    })
  )

  it.live("fails if another process ended ripgrep, instead of showing fewer results", () =>
    Effect.gen(function* () {
      const { at, root } = yield* open({ "a.txt": "needle\n" })
      const program = at("rg")
      fs.writeFileSync(program, "#!/bin/sh\nkill -9 $$\n", { mode: 0o755 })
      const { read } = yield* open({}, { root, ripgrep: program })
      for (const listing of [Effect.asVoid(read.search(options)), Effect.asVoid(read.find("**/*", ".", 50))]) {
        const error = yield* Effect.flip(listing)
        assert.include(ToolError.describe(error), "another process ended ripgrep before it had finished")
      }
    })
  )

  it.live("ranks declarations of a name first, then whole words, and generated files last", () =>
    Effect.gen(function* () {
      const { read } = yield* open({
        "a.ts": "const needles = pins(haystack)\n",
        "b.ts": "import { needle } from './z'\n\nneedle()\n",
        "dist/z.js": "function needle() {}\n",
        "test/z.test.ts": "const needle = 1\n",
        "z.ts": "// makes them\nexport function needle() {}\n"
      })
      const ranked = ["z.ts:2", "b.ts:1", "b.ts:3", "test/z.test.ts:1", "a.ts:1", "dist/z.js:1"]
      assert.deepStrictEqual(places(yield* read.search(options)), ranked)
      const few = yield* read.search({ ...options, limit: 3 })
      assert.deepStrictEqual([places(few), few.truncated], [ranked.slice(0, 3), true])
    })
  )

  it.live(
    "shows the same part always of output that is too long",
    () =>
      Effect.gen(function* () {
        // Ripgrep's output is larger than what is read of it, and its threads search the files in any order.
        const line = `needle ${"x".repeat(900)}\n`
        const names = Array.from({ length: 40 }, (_, index) => `f${String(index).padStart(2, "0")}`)
        const { read } = yield* open(Object.fromEntries(names.map((name) => [name, line.repeat(500)])))
        const { items, truncated } = yield* read.search({ ...options, limit: 20_000 })
        const seen = [...new Set(items.map(({ path }) => path))]
        assert.isTrue(truncated)
        assert.isBelow(seen.length, names.length)
        assert.deepStrictEqual(seen, names.slice(0, seen.length))
      }),
    thoroughOnly
  )

  it.live("stops at the limit, says so, and truncates long lines", () =>
    Effect.gen(function* () {
      const { read } = yield* open({
        a: "needle\n".repeat(50),
        b: "needle\n".repeat(50),
        long: `${"x".repeat(100_000)}needle${"y".repeat(100_000)}\n`
      })
      const ten = yield* read.search({ ...options, limit: 10 })
      assert.deepStrictEqual([ten.items.length, ten.truncated], [10, true])
      assert.isFalse((yield* read.search({ ...options, limit: 101 })).truncated)
      const [hit] = (yield* read.search({ ...options, path: "long", contextLines: 5 })).items
      assert.isBelow(hit.text.length, 1000)
      assert.include(hit.text, "needle")
      assert.strictEqual(hit.endByte - hit.startByte, 200_007)
    })
  )
})
