/** Wrong arguments from programs without types: each error names the place and the fix. */
import { ToolPack } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import { fromAiSdk, toAiSdk } from "../src/AiSdk.ts"
import { toEffectAi } from "../src/EffectAi.ts"
import { toLangChain } from "../src/LangChain.ts"
import { toMastra } from "../src/Mastra.ts"
import { toMcp } from "../src/Mcp.ts"
import { toOpenAiAgents } from "../src/OpenAiAgents.ts"

const values: ReadonlyArray<unknown> = [undefined, null, 1, "x", [], () => {}]
const wrong = values as ReadonlyArray<never>

describe("a wrong argument", () => {
  it("of a bridge says that the pack has to be open", () => {
    const mcp = (opened: never) => toMcp(opened, { name: "notes", version: "1" })
    for (const bridge of [toAiSdk, toEffectAi, toLangChain, toMastra, toOpenAiAgents, mcp]) {
      for (const value of [...wrong, {} as never, ToolPack.make() as never]) {
        assert.throws(() => bridge(value), /a bridge takes a pack that is open: pass the result of open\(pack/)
      }
    }
  })

  it("of an offer names the options", () => {
    const opened = { tools: [], call: () => Promise.reject(new Error("unused")) } as never
    for (const value of [...wrong, {} as never]) {
      assert.throws(() => toMcp(opened, value), /toMcp: the options need a name and a version/)
    }
  })

  it("of fromAiSdk names the tool", async () => {
    for (const value of wrong) {
      const message = (call: Promise<unknown>) =>
        call.then(
          () => "no error",
          (thrown: unknown) => String(thrown)
        )
      assert.match(await message(fromAiSdk(value)), /fromAiSdk: its argument must be an object of tools by name/)
      assert.match(await message(fromAiSdk({ weather: value })), /fromAiSdk: weather must be a tool of the AI SDK/)
    }
  })
})
