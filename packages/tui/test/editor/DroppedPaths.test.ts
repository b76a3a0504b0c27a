/** DroppedPaths: images as terminals drop them are found, and other text stays text. */
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as DroppedPaths from "../../src/editor/DroppedPaths.ts"

const pathsOf = (text: string): ReadonlyArray<string> => DroppedPaths.images(text).map(({ path }) => path)

describe("DroppedPaths", () => {
  it.each([
    ["/tmp/a.png", ["/tmp/a.png"]],
    ["/tmp/a.PNG ", ["/tmp/a.PNG"]],
    ["~/b.jpeg\n", ["~/b.jpeg"]],
    ["'/tmp/my file.jpg'", ["/tmp/my file.jpg"]],
    [`'/tmp/it'\\''s.png'`, ["/tmp/it's.png"]],
    ['"/tmp/a \\"b\\".gif"', ['/tmp/a "b".gif']],
    ["/tmp/my\\ file\\ \\(1\\).png", ["/tmp/my file (1).png"]],
    ["/tmp/Screenshot 2026-11-22 at 1.05.png", ["/tmp/Screenshot 2026-11-22 at 1.05.png"]],
    ["file:///tmp/my%20file.webp", ["/tmp/my file.webp"]],
    ["file://localhost/tmp/%C3%A9.png", ["/tmp/é.png"]],
    ["/a.png /b.png", ["/a.png", "/b.png"]],
    ["'/a b.png' /c.gif\nfile:///d.jpg", ["/a b.png", "/c.gif", "/d.jpg"]],
    ["images/logo.png", ["images/logo.png"]]
  ])("finds in %j %j", (text, paths) => {
    assert.deepStrictEqual(pathsOf(text), paths)
  })

  it.each([
    "look at /tmp/a.png",
    "/tmp/a.txt",
    "/tmp/a.png and more",
    "https://example.org/a.png?x=1",
    "file://elsewhere/tmp/a.png",
    "file:///tmp/%E0%A4.png",
    "/tmp/a\u0000.png",
    "'/tmp/open.png",
    "",
    "/a.png ".repeat(30)
  ])("finds nothing in %j", (text) => {
    assert.deepStrictEqual(pathsOf(text), [])
  })

  it.prop(
    "finds a path again in any quoting",
    [Schema.Array(Schema.Literals(["a", " ", "'", '"', "\\", "é", "(", "$", "日", "%20", "&", "."]))],
    ([parts]) => {
      const path = `/tmp/${parts.join("")}x.png`
      const written = [
        `'${path.replaceAll("'", String.raw`'\''`)}'`,
        path.replace(/[^A-Za-z0-9/._-]/gu, String.raw`\$&`),
        `"${path.replace(/["\\$`]/gu, String.raw`\$&`)}"`,
        `file://${encodeURI(path).replaceAll("?", "%3F").replaceAll("#", "%23")}`
      ]
      for (const text of written.slice(0, 3)) assert.deepStrictEqual(pathsOf(`${text} `), [path])
      if (!/['"\\]/u.test(path)) assert.deepStrictEqual(pathsOf(written[3] ?? ""), [path])
    },
    { arbitrary: { runs: 300, size: 20 } }
  )

  it.prop(
    "marks the positions of the paths in the text",
    [Schema.Array(Schema.Literals(["/a.png", "'/b c.png'", " ", "\n"]))],
    ([parts]) => {
      const text = parts.join(" ")
      for (const { end, path, start } of DroppedPaths.images(text)) {
        assert.strictEqual(text.slice(start, end).replaceAll("'", ""), path)
      }
    }
  )
})
