/** SlashCommands: the kinds of input, and the message for an unknown command. */
import { assert, describe, it } from "@effect/vitest"
import * as SlashCommands from "../../../src/ui/conversation/SlashCommands.ts"

const refusalOf = (text: string): string | null => SlashCommands.refusal(SlashCommands.read(text))

describe("SlashCommands", () => {
  it("reads a message, a shell command and a command with its arguments", () => {
    assert.deepStrictEqual(SlashCommands.read("/etc/passwd is a file"), { _tag: "Message" })
    assert.deepStrictEqual(SlashCommands.read("! git status "), { _tag: "Command", command: "git status" })
    assert.deepStrictEqual(SlashCommands.read("/model  a/b\n"), { _tag: "Slash", name: "model", arguments: "a/b" })
    assert.deepStrictEqual(SlashCommands.read("/exit"), { _tag: "Slash", name: "quit", arguments: "" })
  })

  it("suggests the nearest command for an unknown name, and refuses no other", () => {
    assert.include(refusalOf("/modle gpt") ?? "", "Did you mean /model?")
    // Names that other agents use.
    assert.include(refusalOf("/clear") ?? "", "Did you mean /new?")
    assert.include(refusalOf("/context") ?? "", "Did you mean /cost?")
    assert.include(refusalOf("/qqqqqqqqqq") ?? "", "/help")
    assert.include(refusalOf("/") ?? "", "/help")
    assert.isNotNull(refusalOf("!"))
    for (const { name } of SlashCommands.slashCommands) assert.isNull(refusalOf(`/${name} x`))
    assert.isNull(refusalOf("what is /modle?"))
  })
})
