import { Canonical } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import { FileInfo, FindFiles, ListFiles, SearchFiles } from "../src/index.ts"
import { open, words } from "./Harness.ts"

const project = {
  ".gitignore": "dist/\n",
  ".hidden.ts": "x\n",
  "README.md": "# Title\n\ntext\n",
  "dist/out.js": "needle\n",
  "logo.bin": Buffer.from([0, 1, 2]),
  "src/a.ts": "let a\nlet needle = a\n",
  "src/b.py": "needle = 1\n"
}

describe("list_files", () => {
  it.live("shows language, size and lines of one level", () =>
    Effect.gen(function* () {
      const { at, call } = yield* open(project)
      fs.symlinkSync("src/a.ts", at("link.ts"))
      const { display, output } = yield* call(ListFiles, {})
      assert.deepStrictEqual(output, {
        entries: [
          { path: "README.md", bytes: 14, lines: 3, language: "markdown" },
          { path: "link.ts", kind: "symlink" },
          { path: "logo.bin", bytes: 3, binary: true },
          { path: "src/" }
        ],
        truncated: false
      })
      assert.strictEqual(display, "Listed .: 4 entries")
    })
  )

  it.live("shows all files below, hidden ones too when asked, up to the limit", () =>
    Effect.gen(function* () {
      const { call } = yield* open(project)
      const paths = (input: typeof ListFiles.parameters.Encoded) =>
        Effect.map(call(ListFiles, input), ({ output }) => [output.entries.map(({ path }) => path), output.truncated])
      assert.deepStrictEqual(yield* paths({ recursive: true }), [
        ["README.md", "logo.bin", "src/a.ts", "src/b.py"],
        false
      ])
      assert.deepStrictEqual(yield* paths({ path: "src", recursive: true }), [["src/a.ts", "src/b.py"], false])
      assert.deepStrictEqual(yield* paths({ hidden: true, limit: 3 }), [
        [".gitignore", ".hidden.ts", "README.md"],
        true
      ])
    })
  )
})

describe("find_files", () => {
  it.live("finds files by glob that are not ignored", () =>
    Effect.gen(function* () {
      const { call } = yield* open(project)
      const { display, output } = yield* call(FindFiles, { glob: "**/*.{ts,js}" })
      assert.deepStrictEqual(output, { paths: ["src/a.ts"], truncated: false })
      assert.strictEqual(display, "Found 1 file for **/*.{ts,js}")
    })
  )
})

describe("search_files", () => {
  it.live("groups hits by file, each with its byte range and the prefix of their digest", () =>
    Effect.gen(function* () {
      const { call } = yield* open(project)
      const { display, output } = yield* call(SearchFiles, { pattern: "needle", contextLines: 1 })
      const line = "let needle = a\n"
      assert.deepStrictEqual(output, {
        files: [
          {
            path: "src/a.ts",
            hits: [
              {
                line: 2,
                text: "let needle = a",
                before: ["let a"],
                startByte: 6,
                endByte: 21,
                digest: Canonical.digest(line).slice(0, 23)
              }
            ]
          },
          {
            path: "src/b.py",
            hits: [
              {
                line: 1,
                text: "needle = 1",
                startByte: 0,
                endByte: 11,
                digest: Canonical.digest("needle = 1\n").slice(0, 23)
              }
            ]
          }
        ],
        truncated: false
      })
      assert.strictEqual(display, "Found 2 hits for needle")
    })
  )

  it.live("accepts globs, case-insensitive patterns, plain text and a limit", () =>
    Effect.gen(function* () {
      const { call } = yield* open({ "a.ts": "f(x)\nF(X)\n", "b.md": "f(x)\n" })
      const found = (input: typeof SearchFiles.parameters.Encoded) =>
        Effect.map(call(SearchFiles, input), ({ output }) => [
          output.files.flatMap(({ hits, path }) => hits.map(({ line }) => `${path}:${line}`)),
          output.truncated
        ])
      assert.deepStrictEqual(yield* found({ pattern: "f(x)", literal: true }), [["a.ts:1", "b.md:1"], false])
      assert.deepStrictEqual(yield* found({ pattern: "f\\(x", ignoreCase: true, globs: ["*.ts"] }), [
        ["a.ts:1", "a.ts:2"],
        false
      ])
      assert.deepStrictEqual(yield* found({ pattern: "x", limit: 1, globs: ["!*.md"] }), [["a.ts:1"], false])
      assert.deepStrictEqual(yield* found({ pattern: ".", limit: 1 }), [["a.ts:1"], true])
    })
  )
})

describe("file_info", () => {
  it.live("returns kind, size, time, mode and language", () =>
    Effect.gen(function* () {
      const { at, call } = yield* open({ "a.ts": "12345" })
      fs.chmodSync(at("a.ts"), 0o640)
      fs.utimesSync(at("a.ts"), 0, 86_400)
      assert.deepStrictEqual((yield* call(FileInfo, { path: "./a.ts" })).output, {
        path: "a.ts",
        kind: "file",
        bytes: 5,
        modifiedAt: "1970-01-02T00:00:00.000Z",
        mode: "640",
        language: "typescript"
      })
      assert.strictEqual((yield* call(FileInfo, { path: "." })).output.kind, "directory")
      assert.match(words(yield* Effect.flip(call(FileInfo, { path: "none" }))), /there is no file or directory/)
    })
  )
})
