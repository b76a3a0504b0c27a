/** Tests of the faults of agent and command files whose front matter has a key that is not one of theirs. */
import { assert, describe, it } from "@effect/vitest"
import * as AgentFile from "../../src/agents/AgentFile.ts"
import * as CommandFile from "../../src/commands/CommandFile.ts"

const agent = (line: string) => AgentFile.read(`---\nname: reader\ndescription: Reads\n${line}\n---\nRead only.`)

describe("an unknown key of front matter", () => {
  it("is named with the keys that there are, or with a similar one", () => {
    assert.strictEqual(
      agent("packs: [files]"),
      "its front matter has the unknown key packs: there are name, description, model, tools, rules, limits"
    )
    assert.strictEqual(agent("tool: [x]"), "its front matter has the unknown key tool: did you mean tools?")
    assert.strictEqual(agent("limits: { steps: 3 }"), "its front matter has the unknown key limits.steps")
    assert.strictEqual(
      CommandFile.read("---\nmodle: a/b\n---\nGreet"),
      "its front matter has the unknown key modle: did you mean model?"
    )
  })
})
