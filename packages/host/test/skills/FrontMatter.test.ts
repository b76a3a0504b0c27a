import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { stringify } from "yaml"
import * as FrontMatter from "../../src/skills/FrontMatter.ts"

const Name = Schema.String.check(Schema.isPattern(/^[a-z0-9]+(-[a-z0-9]+){0,3}$/), Schema.isMaxLength(64))
const Words = Schema.String.check(Schema.isMaxLength(300))

const of = (...lines: ReadonlyArray<string>): string => ["---", ...lines, "---", "body"].join("\n")

describe("FrontMatter", () => {
  it.prop(
    "parses any name, description and text that it prints",
    [Name, Words, Words],
    ([name, words, body]) => {
      const written = `---\n${stringify({ license: "MIT", description: `x${words}`, name })}---\n${body}`
      assert.deepStrictEqual(FrontMatter.read(written), {
        name,
        description: `x${words}`.trim().replaceAll(/\s+/g, " "),
        body: body.replaceAll("\r\n", "\n").trim()
      })
    },
    { arbitrary: { runs: 300 } }
  )

  it.prop("never throws", [Schema.String, Schema.String], ([matter, body]) => {
    FrontMatter.read(`---\n${matter}\n---\n${body}`)
    FrontMatter.read(body)
  })

  it.each([
    ["no front matter", "# Only text", "it does not start with front matter between two lines of ---"],
    [
      "front matter that does not end",
      "---\nname: a\n",
      "it does not start with front matter between two lines of ---"
    ],
    [
      "too much of it",
      of(`name: a`, `more: ${"x".repeat(17_000)}`),
      "its front matter is longer than 16384 characters"
    ],
    ["no YAML", of("name: [a"), /^its front matter is not YAML: /],
    ["a list", of("- a"), "its front matter is not a list of keys and values"],
    ["no name", of("description: b"), "its front matter has no name"],
    ["a number for a name", of("name: 12", "description: b"), "its front matter has no name"],
    ["a name that is a path", of("name: ../a", "description: b"), /^its name may have only lower-case letters/],
    ["a long name", of(`name: ${"a".repeat(65)}`, "description: b"), /^its name may have only lower-case letters/],
    ["no description", of("name: a", "description: ' '"), "its front matter has no description"],
    [
      "a long description",
      of("name: a", `description: ${"b".repeat(1025)}`),
      "its description is longer than 1024 characters"
    ],
    [
      "aliases that explode",
      of(
        `a: &a [${"x,".repeat(9)}x]`,
        ..."bcdefgh"
          .split("")
          .map((key, at) => `${key}: &${key} [${`*${"abcdefgh"[at]},`.repeat(9)}*${"abcdefgh"[at]}]`)
      ),
      /^its front matter is not YAML: .*alias/
    ]
  ] as const)("reports the error in %s", (_, text, expected) => {
    const read = FrontMatter.read(text)
    if (typeof read !== "string") assert.fail("it was read")
    else if (typeof expected === "string") assert.strictEqual(read, expected)
    else assert.match(read, expected)
  })
})
