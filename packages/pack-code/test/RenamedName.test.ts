/** The new name of a rename is one name: some language servers write any text into the files. */
import { assert, describe, it } from "@effect/vitest"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import { LspRename } from "../src/index.ts"

const accepts = (newName: string): boolean =>
  Exit.isSuccess(Schema.decodeUnknownExit(LspRename.parameters)({ path: "a.py", line: 1, name: "add", newName }))

describe("the new name of lsp_rename", () => {
  it.each(["plus", "_x1", "$el", "@count", "empty?", "save!", "--main-color", "größe"])("may be %s", (name) => {
    assert.isTrue(accepts(name))
  })

  it.each(["", "not ok", "add()", "a;b", "a\nb", 'a"', "List<int>"])("may not be %j", (name) => {
    assert.isFalse(accepts(name))
  })
})
