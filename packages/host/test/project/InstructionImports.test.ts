/** The imports of instructions, by the text around them. */
import { assert, describe, it } from "@effect/vitest"
import { importsIn } from "../../src/project/InstructionImports.ts"

describe("importsIn", () => {
  it.each([
    ["@a.md", ["a.md"]],
    ["- @docs/a.md, @b.txt. And (@c.mdc)", ["docs/a.md", "b.txt", "c.mdc"]],
    ["@a.md @a.md", ["a.md"]],
    ["@docs/my\\ notes.md", ["docs/my notes.md"]],
    ["@docs/größe.md", ["docs/größe.md"]],
    ["mail ada@host.md, @src/index.ts, @ada, @a.md5, @a.md/b", []],
    ["`@a.md` and ``@b.md ` `` but @c.md", ["c.md"]],
    ["```\n@a.md\n```\n@b.md", ["b.md"]],
    ["~~~sh\n@a.md\n", []],
    ["", []]
  ] as const)("%j", (text, expected) => {
    assert.deepStrictEqual(importsIn(text), expected)
  })

  it("reads a quarter of a megabyte of marks to its end", () => {
    const size = 256 * 1024
    for (const mark of ["`", "@", "@a.", "` ", "```\n", "\\ ", "@a\\ "]) {
      assert.deepStrictEqual(importsIn(mark.repeat(size / mark.length)), [])
    }
  })
})
