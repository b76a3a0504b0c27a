/** Tests of rules about paths: they match paths in every field and spelling of a call. */
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { type CallPaths, Policy, RuleMatch, RuleText } from "../src/index.ts"
import { root } from "./Facts.ts"

const rule = (text: string) => Result.getOrThrow(RuleText.parse(text))

const subject = (value: unknown, places: CallPaths.Places = {}, tool = "write_file"): RuleMatch.Subject => ({
  tool,
  arguments: value,
  defaults: {},
  workspaceRoot: root,
  destination: null,
  ...places
})

const matches = (text: string, value: unknown, places: CallPaths.Places = {}, tool = "write_file"): boolean =>
  RuleMatch.matches(rule(text), subject(value, places, tool))

const leadsTo = new Map([
  ["d2/x", "deploy/x"],
  ["d2", "deploy"],
  ["deploy/", "deploy"],
  ["src/x", "src/x"],
  ["src", "src"],
  ["x", "x"],
  ["x/", "x"]
])

describe("CallPaths", () => {
  it.each([
    [{ path: "ci/x" }],
    [{ from: "ci/x", to: "lib/y" }],
    [{ from: "lib/x", to: "./CI//y" }],
    [{ cwd: "ci", command: "ls" }],
    [{ root: `${root}/ci` }],
    [{ paths: ["a", "lib/../ci/b"] }],
    [{ edits: [{ path: "a" }, { path: "ci/b" }] }],
    [{ options: { from: "ci" } }]
  ])("an ask of path=ci/ matches every path of %j", (input) => {
    assert.isTrue(matches("ask * path=ci/", input))
    assert.isFalse(matches("ask * path=other/", input))
  })

  it("an ask of to=ci/ matches nothing else", () => {
    assert.isTrue(matches("ask * to=ci", { from: "a", to: "ci/b" }))
    assert.isFalse(matches("ask * to=ci", { from: "ci/b", to: "a" }))
  })

  it("an allow matches the argument of its name alone", () => {
    assert.isFalse(matches("* path=ci/", { from: "ci/x", to: "ci/y" }))
    assert.isTrue(matches("* paths=ci", { paths: ["ci/a", "ci/b"] }))
    assert.isFalse(matches("* paths=ci", { paths: ["ci/a", "lib/b"] }))
    assert.isFalse(matches("* paths=ci", { paths: [] }))
  })

  it("a declared field is a path, whatever its name", () => {
    const pathFields = new Set(["target", "files"])
    assert.isTrue(matches("deny * path=ci", { target: "./ci/x" }, { pathFields }))
    assert.isTrue(matches("deny * path=ci", { files: ["a", "ci/x"] }, { pathFields }))
    assert.isTrue(matches("deny * target=ci", { target: "./ci/x" }, { pathFields }))
    assert.isFalse(matches("deny * path=ci", { target: "./ci/x" }))
  })

  it("ask and deny rules match the target of a link, and a rule's own link", () => {
    for (const effect of ["deny", "ask"]) {
      assert.isTrue(matches(`${effect} write_file path=deploy/`, { path: "d2/x" }, { leadsTo }), effect)
      assert.isTrue(matches(`${effect} write_file path=d2`, { path: "d2/x" }, { leadsTo }), effect)
      assert.isTrue(matches(`${effect} write_file path=d2`, { path: "deploy/x" }, { leadsTo }), effect)
      assert.isFalse(matches(`${effect} write_file path=src`, { path: "d2/x" }, { leadsTo }), effect)
    }
  })

  it("an allow covers a path only if both its text and its target match", () => {
    assert.isTrue(matches("write_file path=src", { path: "src/x" }, { leadsTo }))
    assert.isFalse(matches("write_file path=d2", { path: "d2/x" }, { leadsTo }), "it leads elsewhere")
    assert.isFalse(matches("write_file path=deploy", { path: "d2/x" }, { leadsTo }), "it is spelt elsewhere")
    assert.isFalse(matches("write_file path=src", { path: "src/gone" }, { leadsTo }), "it leads nowhere")
  })

  it("a move or a removal of a directory that contains a place matches the place; reading around it, or working there, does not", () => {
    const acts = { actsBelow: true }
    assert.isTrue(matches("deny * path=src/secrets/", { from: "src", to: "lib" }, acts))
    assert.isTrue(matches("deny * path=src/secrets/", { path: "." }, acts))
    assert.isTrue(matches("deny * path=deploy/keys", { path: "d2" }, { ...acts, leadsTo }))
    assert.isFalse(matches("deny * path=src/secrets/", { path: "src" }))
    assert.isFalse(matches("deny * path=src/secrets/", { cwd: "src" }, acts))
    assert.isFalse(matches("deny * path=src/secrets/", { path: "srcx" }, acts))
    assert.isFalse(matches("* path=src/secrets/", { path: "src" }, acts), "an allow is never for more than it names")
  })

  const elevated = (value: unknown, text: string, places: CallPaths.Places = {}) =>
    Policy.evaluate(
      { rules: [rule(text)], approve: "ask" },
      { ...subject(value, places), tier: "Elevated", reach: "Confined", raised: null, tainted: null, newHost: null }
    )._tag

  it("an allow for a directory matches no file of its name, and no link", () => {
    assert.strictEqual(elevated({ path: "x" }, "write_file path=x/"), "Ask")
    assert.strictEqual(elevated({ path: "x" }, "write_file path=x/", { leadsTo }), "Ask")
    assert.strictEqual(elevated({ path: "x/" }, "write_file path=x/", { leadsTo }), "Allow")
    assert.strictEqual(elevated({ path: "x" }, "write_file path=x", { leadsTo }), "Allow")
    assert.strictEqual(elevated({ path: "d2/x" }, "write_file path=d2/x", { leadsTo }), "Ask")
    assert.strictEqual(elevated({ path: "x/a" }, "write_file path=x"), "Ask")
  })
})
