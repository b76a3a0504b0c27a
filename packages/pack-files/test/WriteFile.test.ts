import { Canonical } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import { WriteFile } from "../src/index.ts"
import { open, words } from "./Harness.ts"

describe("write_file", () => {
  it.live("creates a file with its directories, and replaces it", () =>
    Effect.gen(function* () {
      const { call, text } = yield* open()
      const digest = Canonical.digest("ä\n")
      assert.deepStrictEqual(yield* call(WriteFile, { path: "new/a.txt", content: "ä\n" }), {
        output: { path: "new/a.txt", bytes: 3, digest, created: true },
        display: "Created new/a.txt (3 bytes)",
        details: "@@ -0,0 +1 @@\n+ä\n",
        artifacts: [{ _tag: "FileWritten", path: "new/a.txt", bytes: 3, digest }]
      })
      const { output } = yield* call(WriteFile, { path: "new/a.txt", content: "" })
      assert.isFalse(output.created)
      assert.strictEqual(text("new/a.txt"), "")
    })
  )

  it.live("keeps encoding and line ending of the old file, unless that would lose a character", () =>
    Effect.gen(function* () {
      const { at, call, text } = yield* open({
        "bom.txt": "\uFEFFa\n",
        "crlf.txt": "a\r\nb\r\n",
        "latin1.txt": Buffer.from("\xE9\n", "latin1"),
        "mixed.txt": "a\r\nb\n",
        "wide.txt": Buffer.from("\uFEFFa\n", "utf16le")
      })
      const write = (path: string, content: string) => call(WriteFile, { path, content })
      yield* write("bom.txt", "b\n")
      yield* write("crlf.txt", "1\n2\r\n3\n")
      yield* write("mixed.txt", "1\n2\n")
      yield* write("wide.txt", "é\n")
      yield* write("latin1.txt", "è\n")
      assert.strictEqual(text("bom.txt"), "\uFEFFb\n")
      assert.strictEqual(text("crlf.txt"), "1\r\n2\r\n3\r\n")
      assert.strictEqual(text("mixed.txt"), "1\n2\n")
      assert.deepStrictEqual(fs.readFileSync(at("wide.txt")), Buffer.from("\uFEFFé\n", "utf16le"))
      assert.deepStrictEqual(fs.readFileSync(at("latin1.txt")), Buffer.from("è\n", "latin1"))
      yield* write("latin1.txt", "10 €\n")
      assert.strictEqual(text("latin1.txt"), "10 €\n")
    })
  )

  it.live("shows the new text and the replaced one", () =>
    Effect.gen(function* () {
      const { preview } = yield* open({ "a.txt": "one\n", "b.bin": Buffer.from([0, 1]), ".env": "PASSWORD=hunter2\n" })
      const shown = (path: string, content: string) => preview(WriteFile, { path, content })
      assert.deepStrictEqual(yield* shown("new.txt", "a\n"), {
        render: "--- /dev/null\n+++ new.txt\n@@ -0,0 +1 @@\n+a\n",
        preconditions: [{ _tag: "FileDigest", path: "new.txt", digest: null }]
      })
      const replaced = yield* shown("a.txt", "two\n")
      assert.include(replaced.render, "-one\n+two\n")
      assert.deepStrictEqual(replaced.preconditions, [
        { _tag: "FileDigest", path: "a.txt", digest: Canonical.digest("one\n") }
      ])
      assert.match((yield* shown("a.txt", "one\n")).render, /no change/)
      assert.match((yield* shown("b.bin", "x\n")).render, /2 bytes that are not shown are replaced\n\+x\n/)
      const secret = yield* shown(".env", "A=1\n")
      assert.notInclude(secret.render, "hunter2")
      assert.include(secret.render, "+A=1\n")
    })
  )

  it.live("shows the complete replacement of a large file quickly", () =>
    Effect.gen(function* () {
      const lines = (word: string) => Array.from({ length: 40_000 }, (_, index) => `${word} ${index}\n`).join("")
      const { preview } = yield* open({ "a.txt": lines("old") })
      const { render } = yield* preview(WriteFile, { path: "a.txt", content: lines("new") })
      assert.strictEqual(render.split("\n").filter((line) => line.startsWith("+new")).length, 40_000)
    })
  )

  it.live("recognises its own effect, in any encoding of the file", () =>
    Effect.gen(function* () {
      const { call, findExisting } = yield* open({ "wide.txt": Buffer.from("\uFEFFa\r\n", "utf16le") })
      const input = { path: "wide.txt", content: "b\n" }
      assert.isNull(yield* findExisting(WriteFile, input))
      const { output } = yield* call(WriteFile, input)
      assert.deepStrictEqual((yield* findExisting(WriteFile, input))?.output, output)
      assert.isNull(yield* findExisting(WriteFile, { path: "none.txt", content: "" }))
    })
  )

  it.live("replaces a file that is too large to be read", () =>
    Effect.gen(function* () {
      const { at, call, preview, text } = yield* open({ "large.log": "" })
      fs.truncateSync(at("large.log"), 20 * 1024 ** 2)
      const { render } = yield* preview(WriteFile, { path: "large.log", content: "x\n" })
      assert.match(render, /20971520 bytes that are not shown/)
      yield* call(WriteFile, { path: "large.log", content: "x\n" })
      assert.strictEqual(text("large.log"), "x\n")
    })
  )

  it.live("replaces no directory", () =>
    Effect.gen(function* () {
      const { call } = yield* open({ "d/": "" })
      assert.match(words(yield* Effect.flip(call(WriteFile, { path: "d", content: "" }))), /is a directory, not a file/)
    })
  )
})
