import { Canonical } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import { EditFile } from "../src/index.ts"
import { open, words } from "./Harness.ts"

describe("edit_file", () => {
  it.live("replaces passages, reports the changed lines, and leaves a receipt", () =>
    Effect.gen(function* () {
      const { call, text } = yield* open({ "a.ts": "let a = 1\nlet b = 2\nlet c = 3\n" })
      const result = yield* call(EditFile, {
        path: "a.ts",
        edits: [
          { old: "let b = 2\n", new: "" },
          { old: "c = 3", new: "c = 4\nlet d = 5" }
        ]
      })
      const after = "let a = 1\nlet c = 4\nlet d = 5\n"
      assert.strictEqual(text("a.ts"), after)
      assert.deepStrictEqual(result, {
        output: {
          path: "a.ts",
          bytes: after.length,
          digest: Canonical.digest(after),
          changes: [
            { line: 2, removedLines: 1, addedLines: 0 },
            { line: 2, removedLines: 1, addedLines: 2 }
          ]
        },
        display: "Edited a.ts at lines 2, 2",
        details: "@@ -1,3 +1,3 @@\n let a = 1\n-let b = 2\n-let c = 3\n+let c = 4\n+let d = 5\n",
        artifacts: [{ _tag: "FileWritten", path: "a.ts", bytes: after.length, digest: Canonical.digest(after) }]
      })
    })
  )

  it.live("applies all edits or none, and reports a passage that is not found as a mistake in that edit", () =>
    Effect.gen(function* () {
      const { call, text } = yield* open({ "a.ts": "one\nline two\nline two\n" })
      const edits = (old: string) =>
        ({
          path: "a.ts",
          edits: [
            { old: "one", new: "1" },
            { old, new: "x" }
          ]
        }) as const
      const missing = yield* Effect.flip(call(EditFile, edits("line too")))
      assert(missing._tag === "ValidationError")
      assert.strictEqual(missing.field, "edits.1.old")
      assert.deepStrictEqual(
        missing.issues.map(({ path }) => path),
        ["edits.1.old"]
      )
      assert.match(missing.message, /edits\.1\.old: old is not in the file.*nearest is from line 2/)
      const ambiguous = yield* Effect.flip(call(EditFile, edits("line two")))
      assert.match(words(ambiguous), /edits\.1\.old: old is in the file 2 times, at lines 2, 3.*a\.ts is unchanged/)
      assert.strictEqual(text("a.ts"), "one\nline two\nline two\n")
    })
  )

  it.live("keeps mode, encoding and line ending", () =>
    Effect.gen(function* () {
      const { at, call } = yield* open({
        "crlf.sh": "a\r\nb\r\n",
        "latin1.txt": Buffer.from("caf\xE9 \xA4\n", "latin1"),
        "mixed.txt": "a\r\nb\nc\r\n",
        "wide.txt": Buffer.from("\uFEFFä\r\nb\r\n", "utf16le")
      })
      fs.chmodSync(at("crlf.sh"), 0o755)
      const edit = (path: string, old: string, text: string) => call(EditFile, { path, edits: [{ old, new: text }] })
      yield* edit("crlf.sh", "a\nb", "a\nnew\nb")
      yield* edit("latin1.txt", "café", "thé")
      yield* edit("mixed.txt", "b\n", "b\nbb\n")
      yield* edit("wide.txt", "ä\n", "ö\nü\n")
      const bytes = (name: string) => fs.readFileSync(at(name))
      assert.strictEqual(bytes("crlf.sh").toString(), "a\r\nnew\r\nb\r\n")
      assert.strictEqual(fs.statSync(at("crlf.sh")).mode & 0o777, 0o755)
      assert.deepStrictEqual(bytes("latin1.txt"), Buffer.from("th\xE9 \xA4\n", "latin1"))
      assert.strictEqual(bytes("mixed.txt").toString(), "a\r\nb\nbb\nc\r\n")
      assert.deepStrictEqual(bytes("wide.txt"), Buffer.from("\uFEFFö\r\nü\r\nb\r\n", "utf16le"))
      assert.match(words(yield* Effect.flip(edit("latin1.txt", "thé", "10 €"))), /latin1, which has no character/)
    })
  )

  it.live("loses no update among concurrent edits of one file", () =>
    Effect.gen(function* () {
      const marks = Array.from({ length: 30 }, (_, index) => `<${index}>`)
      const { call, text } = yield* open({ "a.txt": marks.join("\n") })
      const exits = yield* Effect.forEach(
        marks,
        (mark) => Effect.exit(call(EditFile, { path: "a.txt", edits: [{ old: mark, new: "done" }] })),
        { concurrency: "unbounded" }
      )
      const done = exits.filter((exit) => exit._tag === "Success").length
      assert.isAbove(done, 0)
      assert.strictEqual(text("a.txt").split("done").length - 1, done)
      for (const exit of exits) if (exit._tag === "Failure") assert.match(String(exit.cause), /Conflict: /)
    })
  )

  it.live("shows a unified diff, which lapses when its file changes", () =>
    Effect.gen(function* () {
      const { preview } = yield* open({ "a.txt": "one\ntwo\nthree\n" })
      const shown = yield* preview(EditFile, { path: "a.txt", edits: [{ old: "two", new: "2" }] })
      assert.strictEqual(shown.render, "--- a.txt\n+++ a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n")
      assert.deepStrictEqual(shown.preconditions, [
        { _tag: "FileDigest", path: "a.txt", digest: Canonical.digest("one\ntwo\nthree\n") }
      ])
    })
  )

  it.live("shows nothing of a secret file beyond the call's own text, and edits it once approved", () =>
    Effect.gen(function* () {
      const { call, preview, raised, text } = yield* open({ ".env": "PASSWORD=hunter2\nPORT=1\n" })
      const input = { path: ".env", edits: [{ old: "PORT=1", new: "PORT=2" }] } as const
      assert.include(yield* raised(EditFile, input), "credentials")
      const { preconditions, render } = yield* preview(EditFile, input)
      assert.notInclude(render, "hunter2")
      assert.include(render, "-PORT=1\n+PORT=2\n")
      assert.deepStrictEqual(preconditions, [
        { _tag: "FileDigest", path: ".env", digest: Canonical.digest("PASSWORD=hunter2\nPORT=1\n") }
      ])
      assert.notProperty(yield* call(EditFile, input), "details")
      assert.strictEqual(text(".env"), "PASSWORD=hunter2\nPORT=2\n")
    })
  )

  it.live("recognises its own effect, and no other", () =>
    Effect.gen(function* () {
      const { call, findExisting } = yield* open({ "a.txt": "one\ntwo\n", "other.txt": "one\n2\n2\n" })
      const edits = [{ old: "two", new: "2" }] as const
      assert.isNull(yield* findExisting(EditFile, { path: "a.txt", edits }))
      assert.isNull(yield* findExisting(EditFile, { path: "other.txt", edits }))
      assert.isNull(yield* findExisting(EditFile, { path: "none.txt", edits }))
      const { output } = yield* call(EditFile, { path: "a.txt", edits })
      const found = yield* findExisting(EditFile, { path: "a.txt", edits })
      assert.deepStrictEqual(found?.output, output)
    })
  )

  it.live("edits no binary file, and suggests write_file for a missing one", () =>
    Effect.gen(function* () {
      const { call } = yield* open({ binary: Buffer.from([1, 0, 97]) })
      const edits = [{ old: "a", new: "b" }] as const
      assert.match(words(yield* Effect.flip(call(EditFile, { path: "binary", edits }))), /binary: only text/)
      const error = yield* Effect.flip(call(EditFile, { path: "none", edits }))
      assert(error._tag === "ExecutionError")
      assert.include(error.hint, "write_file")
    })
  )
})
