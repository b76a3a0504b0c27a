/** Tests of which calls a rule matches. */
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { RuleMatch, RuleText } from "../src/index.ts"
import { pathText, root, rulePath } from "./Facts.ts"

const matches = (text: string, value: unknown, tool = "write_file"): boolean =>
  RuleMatch.matches(Result.getOrThrow(RuleText.parse(text)), {
    tool,
    arguments: value,
    defaults: {},
    workspaceRoot: root,
    destination: null
  })

describe("RuleMatch", () => {
  it.each([
    ["src", "src"],
    ["src/", "src/a.ts"],
    ["src", "./src//deep/a.ts"],
    ["src", `${root}/src/a.ts`],
    [`${root}/src`, "src/a.ts"],
    [".", "a.ts"],
    ["/etc", "/etc/hosts"]
  ])("an allow of path=%s covers %s", (rule, path) => {
    assert.isTrue(matches(`write_file path=${rule}`, { path }))
  })

  it.each([
    ["src", "srcx"],
    ["src", "srcx/a.ts"],
    ["src", "src/../x"],
    ["src", "x/../src/a.ts"],
    ["src", "SRC/a.ts"],
    ["src", "/src/a.ts"],
    ["src", `${root}/src/../x`],
    [".", "../x"],
    [".", "/etc/hosts"],
    ["src/a.ts", "src"]
  ])("an allow of path=%s does not cover %s", (rule, path) => {
    assert.isFalse(matches(`write_file path=${rule}`, { path }))
  })

  it.each([
    ["src/../secrets/key"],
    ["./secrets"],
    [`${root}/secrets/key`],
    ["../work/secrets/key"],
    ["SECRETS/key"],
    ["ｓecrets/key"],
    ["sec\u200drets/key"]
  ])("a deny of path=secrets covers %s", (path) => {
    assert.isTrue(matches("deny write_file path=secrets", { path }))
  })

  it("a directory above the workspace covers all of the workspace, in any spelling of its paths", () => {
    const segments = root.split("/").filter((segment) => segment !== "")
    const ancestors = segments.map((_, at) => `/${segments.slice(0, at + 1).join("/")}`)
    for (const ancestor of ["/", ...ancestors]) {
      for (const path of [".", "a.ts", "src/deep/a.ts", `${root}/a.ts`, "src/../a.ts"]) {
        assert.isTrue(matches(`deny write_file path=${ancestor}`, { path }), `${ancestor} ${path}`)
      }
      assert.isTrue(matches(`write_file path=${ancestor}`, { path: "src/a.ts" }), ancestor)
    }
    for (const other of [`${root}x`, `${ancestors.at(-2) ?? ""}/other`, "/elsewhere"]) {
      assert.isFalse(matches(`deny write_file path=${other}`, { path: "src/a.ts" }), other)
    }
  })

  it("a deny of a directory leaves its neighbours alone", () => {
    assert.isFalse(matches("deny write_file path=secrets", { path: "secrets.md" }))
    assert.isFalse(matches("deny write_file path=secrets", { path: "src/secrets" }))
  })

  it("argv matches exactly and in order", () => {
    const rule = 'run_command argv=["npm","test"]'
    assert.isTrue(matches(rule, { argv: ["npm", "test"] }, "run_command"))
    for (const argv of [["npm", "test", "x"], ["npm"], ["test", "npm"], ["npm test"], "npm test"]) {
      assert.isFalse(matches(rule, { argv }, "run_command"))
    }
  })

  it("a field that the call omits does not match", () => {
    assert.isFalse(matches("run_command cwd=src", { argv: [] }, "run_command"))
    assert.isFalse(matches("x toString=1", {}, "x"))
  })

  it("a dotted name matches a field inside objects", () => {
    assert.isTrue(matches("x a.b=1", { a: { b: 1 } }, "x"))
    assert.isFalse(matches("x a.b=1", { a: { b: "1" } }, "x"))
  })

  it("a star matches every tool that has the field", () => {
    assert.isTrue(matches("deny * path=secrets", { path: "secrets/key" }, "read_file"))
    assert.isFalse(matches("deny * path=secrets", { argv: ["cat", "secrets/key"] }, "run_command"))
  })

  it.prop(
    "the deny of the same text covers every call that an allow covers",
    [rulePath, pathText],
    ([rule, path]) => {
      const text = `write_file path=${JSON.stringify(rule)}`
      assert.isTrue(!matches(text, { path }) || matches(`deny ${text}`, { path }))
    },
    { arbitrary: { runs: 1000 } }
  )
})
