/** Tests of the file tools' text for a model: text as a terminal shows it, and where to continue. */
import type { Tool } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { EditFile, FileInfo, FindFiles, ListFiles, ReadFile, SearchFiles, WriteFile } from "../src/index.ts"
import { open } from "./Harness.ts"

const text = (tool: Tool.Any, output: unknown): string => tool.forModel?.(output) ?? assert.fail("no forModel")

const many = Array.from({ length: 1499 }, (_, index) => `line ${index + 1}\n`).join("")

describe("the text for a model of", () => {
  it.live("a file: its lines by number, and a last line if there is more", () =>
    Effect.gen(function* () {
      const { call } = yield* open({
        "a.ts": 'const a = "\\n"\n\treturn a\n',
        "open.txt": "no line end",
        "blank.txt": "\n\n",
        "empty.txt": "",
        "crlf.txt": "a\r\nb\r\n",
        "many.txt": many
      })
      const cases: ReadonlyArray<readonly [object, string]> = [
        [{ path: "a.ts" }, '1\tconst a = "\\n"\n2\t\treturn a'],
        [{ path: "open.txt" }, "1\tno line end"],
        [{ path: "blank.txt" }, "1\t\n2\t"],
        [{ path: "empty.txt" }, "[the file is empty]"],
        [{ path: "crlf.txt" }, "1\ta\n2\tb\n[lines 1–2 of 2; CRLF line endings]"],
        [{ path: "many.txt", maxLines: 2 }, "1\tline 1\n2\tline 2\n[lines 1–2 of 1499; continue with fromLine=3]"],
        [{ path: "many.txt", fromLine: 1499 }, "1499\tline 1499\n[line 1499 of 1499]"],
        [{ path: "many.txt", fromLine: 2000 }, "[no line 1500 or later: the file has 1499 lines]"]
      ]
      for (const [input, expected] of cases) {
        const { output } = yield* call(ReadFile, input as { readonly path: string })
        assert.strictEqual(text(ReadFile, output), expected)
      }
    })
  )

  it.live("a long file, continued as each last line says, is the complete file", () =>
    Effect.gen(function* () {
      const lines = Array.from({ length: 4000 }, (_, index) => `${index} ${"é".repeat(index % 90)}`)
      const content = `${lines.join("\n")}\n${"x".repeat(120_000)}`
      const { call } = yield* open({ "a.txt": content })
      let joined = ""
      let next: object | null = {}
      for (let page = 0; next !== null && page < 50; page++) {
        const { output } = yield* call(ReadFile, { path: "a.txt", ...next })
        const read = text(ReadFile, output)
        assert.isAtMost(Buffer.byteLength(read), ReadFile.maxModelBytes)
        const shown = read.slice(0, read.lastIndexOf("\n["))
        const [, where, at] = /continue with (fromLine|fromByte)=(\d+)\]$/.exec(read) ?? []
        const piece = shown.replaceAll(/^\d+\t/gm, "")
        joined += where === "fromLine" ? `${piece}\n` : piece
        next = where === undefined ? null : { [where]: Number(at) }
      }
      assert.isNull(next)
      assert.strictEqual(joined, content)
    })
  )

  it.live("a search: path, line and text, with the context lines", () =>
    Effect.gen(function* () {
      const { call } = yield* open({ "a.txt": "one\ntwo: x\nthree\n", "b/c.txt": "two\n" })
      const { output } = yield* call(SearchFiles, { pattern: "two" })
      assert.sameMembers(text(SearchFiles, output).split("\n"), ["a.txt:2:two: x", "b/c.txt:1:two"])
      const around = yield* call(SearchFiles, { pattern: "two: x", contextLines: 1 })
      assert.strictEqual(text(SearchFiles, around.output), "a.txt-1-one\na.txt:2:two: x\na.txt-3-three\n--")
      const none = yield* call(SearchFiles, { pattern: "nowhere" })
      assert.strictEqual(text(SearchFiles, none.output), "[no line matches]")
      const cut = yield* call(SearchFiles, { pattern: "o", limit: 1 })
      assert.match(text(SearchFiles, cut.output), /^[^\n]+\n\[there are more; raise limit, or ask for less\]$/)
    })
  )

  it.live("lists: a path a line", () =>
    Effect.gen(function* () {
      const { call } = yield* open({ "a.ts": "1\n", "b/c.ts": "2\n", "d\ne.ts": "" })
      assert.strictEqual(text(ListFiles, (yield* call(ListFiles, {})).output), 'a.ts\nb/\n"d\\ne.ts"')
      const found = text(FindFiles, (yield* call(FindFiles, { glob: "*.ts" })).output)
      assert.sameMembers(found.split("\n"), ["a.ts", "b/c.ts", '"d\\ne.ts"'])
      assert.strictEqual(text(FindFiles, (yield* call(FindFiles, { glob: "*.py" })).output), "[no file matches]")
      const info = text(FileInfo, (yield* call(FileInfo, { path: "a.ts" })).output)
      assert.match(info, /^a\.ts: file, 2 bytes, typescript, \d{4}-\S+, mode \S+$/)
    })
  )

  it.live("a change: one line", () =>
    Effect.gen(function* () {
      const { call } = yield* open({ "a.txt": "one\ntwo\n" })
      const edited = yield* call(EditFile, { path: "a.txt", edits: [{ old: "two", new: "2" }] })
      assert.strictEqual(text(EditFile, edited.output), "Edited a.txt at line 2")
      const written = yield* call(WriteFile, { path: "n.txt", content: "x" })
      assert.strictEqual(text(WriteFile, written.output), "Created n.txt (1 bytes)")
    })
  )
})
