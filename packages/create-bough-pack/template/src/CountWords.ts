/** `count_words`: the number of words in a text. */
import { Tool } from "@bough/tool"
import * as Schema from "effect/Schema"

export const CountWords = Tool.fromAsync("count_words", {
  version: 1,
  description: "Count the words of a text",
  tier: "ReadOnly",
  replay: "Safe",
  capabilities: [],
  parameters: Schema.Struct({ text: Schema.String.annotate({ description: "The text itself" }) }),
  output: Schema.Struct({ words: Schema.Natural }),
  execute: async ({ text }) => {
    const words = text.split(/\s+/u).filter((word) => word !== "").length
    return Tool.result({ output: { words }, display: `${words} words` })
  }
})
