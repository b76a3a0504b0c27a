/** Code in colours: no character is lost or acts on the terminal, and grammars are loaded when they are needed. */
import { assert, describe, it } from "@effect/vitest"
import * as CodeRows from "../../src/code/CodeRows.ts"
import * as Highlight from "../../src/code/Highlight.ts"
import * as Languages from "../../src/code/Languages.ts"
import * as MarkdownRows from "../../src/markdown/MarkdownRows.ts"
import { withoutColours } from "../../src/text/Width.ts"
import * as Theme from "../../src/theme/Theme.ts"
import { anyColumns, anyText, assertRows, dark, runs } from "../anyText.ts"

const code = 'const a: number = 1 // "b" & <c>\nfunction f() {\n\treturn `x\n${a}`\n}'

describe("Highlight", () => {
  it("has one colour until the grammar is loaded, then those of the meaning", async () => {
    const place = { columns: 60, theme: dark }
    const before = CodeRows.rows("let x = 1", "kotlin", place)
    assert.deepStrictEqual(before, [dark.code(before.map(withoutColours).join("") as never)])
    await Highlight.load("kotlin")
    assert.notDeepEqual(CodeRows.rows("let x = 1", "kotlin", place), before)
  })

  it("returns every character, on its line", async () => {
    await Highlight.load("typescript")
    const lines = Highlight.lines(code, "typescript") ?? []
    assert.deepStrictEqual(
      lines.map((spans) => spans.map(({ text }) => text).join("")),
      code.split("\n")
    )
    const kindOf = (text: string) => lines.flat().find((span) => span.text === text)?.kind
    assert.strictEqual(kindOf("const"), "keyword")
    assert.strictEqual(kindOf("number"), "type")
    assert.strictEqual(kindOf('// "b" & <c>'), "comment")
    assert.strictEqual(kindOf("f"), "name")
  })

  it.prop(
    "writes rows that fit and contain no terminal sequences, whatever the code",
    [anyText, anyColumns],
    ([text, columns]) => assertRows(CodeRows.rows(text.join(""), "typescript", { columns, theme: dark }), columns),
    runs
  )

  it("leaves code that is too long for one frame in one colour", () => {
    assert.isNull(Highlight.lines("x\n".repeat(10_000), "typescript"))
    assert.isNull(Highlight.lines("x".repeat(2_000), "typescript"))
  })

  it("knows a language by its fence and by the name of a file", () => {
    assert.strictEqual(Languages.fromFence('ts title="a"'), "typescript")
    assert.strictEqual(Languages.fromFence("constructor"), null)
    assert.strictEqual(Languages.fromPath("src/a.test.py"), "python")
    assert.strictEqual(Languages.fromPath("Dockerfile"), "dockerfile")
    assert.strictEqual(Languages.fromPath("README"), null)
  })

  it("loads every grammar that it names", async () => {
    const all = Object.keys(Languages.grammars) as ReadonlyArray<Languages.Language>
    await Promise.all(all.map(Highlight.load))
    assert.deepStrictEqual(
      all.filter((language) => Highlight.lines("x", language) === null),
      []
    )
  })
})

describe("Markdown in colours", () => {
  const rowsOf = (source: string, theme: Theme.Theme = dark) => MarkdownRows.rows(source, { columns: 60, theme })
  const shown = (source: string): string => rowsOf(source).map(withoutColours).join("\n")

  it("has no marks of headings, code and fences", () => {
    assert.strictEqual(shown("## Title\n\nuse `f`\n\n```ts\nconst a = 1\n```"), "Title\n\nuse f\n\nconst a = 1")
  })

  it("turns addresses of the web and files of the workspace into links, and nothing else", () => {
    const link = (target: string): string => rowsOf(`[words](${target})`).join("")
    assert.include(link("https://a.example/b"), "\u001B]8;;https://a.example/b\u001B\\words\u001B]8;;\u001B\\")
    assert.include(link("src/a.ts"), "\u001B]8;;file:///workspace/src/a.ts\u001B\\")
    assert.include(link("file:///workspace/b"), "\u001B]8;;file:///workspace/b\u001B\\")
    for (const target of ["../etc/passwd", "file:///etc/passwd", "file://host/workspace/b", "javascript:alert(1)"]) {
      assert.notInclude(link(target), "\u001B]8", target)
    }
    assert.notInclude(link("https://user:secret@a.example"), "\u001B]8")
    assert.notInclude(rowsOf("[w](https://a.example)", Theme.none).join(""), "\u001B")
  })

  it("shows the target of a link after its text, and closes it on every row", () => {
    const rows = rowsOf(`[${"a long sentence ".repeat(8)}](https://a.example/b)`)
    assert.include(rows.map(withoutColours).join(" "), "(https://a.example/b)")
    assert.isAbove(rows.length, 2)
    for (const row of rows) {
      const opened = row.split("\u001B]8;;https").length - 1
      assert.strictEqual(row.split("\u001B]8;;\u001B\\").length - 1, opened, JSON.stringify(row))
    }
  })
})
