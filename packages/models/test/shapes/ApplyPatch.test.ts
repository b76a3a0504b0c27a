/** Patches as calls, and calls as patches. */
import { assert, describe, it } from "@effect/vitest"
import * as ApplyPatch from "../../src/shapes/ApplyPatch.ts"

const patch = [
  "*** Begin Patch",
  "*** Add File: new.ts",
  "+one",
  "+",
  "*** Update File: src/a.ts",
  "*** Move to: src/b.ts",
  "@@ class A",
  " before",
  "-old",
  "+new",
  "@@",
  "-gone",
  " after",
  "*** Delete File: dead.ts",
  "*** End Patch"
].join("\n")

const calls = [
  { name: "write_file", arguments: { path: "new.ts", content: "one\n\n" } },
  {
    name: "edit_file",
    arguments: {
      path: "src/a.ts",
      edits: [
        { old: "before\nold\n", new: "before\nnew\n" },
        { old: "gone\nafter\n", new: "after\n" }
      ]
    }
  },
  { name: "move_path", arguments: { from: "src/a.ts", to: "src/b.ts" } },
  { name: "delete_path", arguments: { path: "dead.ts" } }
]

describe("ApplyPatch", () => {
  it("is one call per file, and two for a moved file", () => assert.deepStrictEqual(ApplyPatch.parse(patch), calls))

  it("prints a patch that makes the same calls", () => {
    const printed = ApplyPatch.print(calls)
    assert.deepStrictEqual(printed === null ? null : ApplyPatch.parse(printed), calls)
  })

  it.each([
    ["*** Update File: a\n-x\n*** End Patch", /does not begin with/u],
    ["*** Begin Patch\n*** Update File: a\n-x", /does not end with/u],
    ["*** Begin Patch\n-x\n*** End Patch", /expected \*\*\* Add, Update or Delete/u],
    ["*** Begin Patch\n*** End Patch", /changes no file/u],
    ["*** Begin Patch\n*** Add File: a\nx\n*** End Patch", /new file a begins with \+/u],
    ["*** Begin Patch\n*** Update File: a\n@@\n+x\n*** End Patch", /only adds needs a line/u],
    ["*** Begin Patch\n*** Update File: a\n@@\n#x\n*** End Patch", /begins with none of/u],
    ["*** Begin Patch\n*** Update File: a\n*** End Patch", /has no changes/u]
  ])("reports the error in %j", (text, why) => {
    const parsed = ApplyPatch.parse(text)
    assert.match(typeof parsed === "string" ? parsed : "it was read", why)
  })
})
