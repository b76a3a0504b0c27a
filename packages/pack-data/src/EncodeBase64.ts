/** `encode_base64`: the UTF-8 bytes of a text in base64; the url alphabet comes without padding. */
import { Tool } from "@bough/tool"
import { Buffer } from "node:buffer"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Alphabet } from "./internal/alphabet.ts"
import { mistake } from "./internal/mistake.ts"

export const EncodeBase64 = Tool.make("encode_base64", {
  version: 1,
  description: "Encode text as base64",
  tier: "ReadOnly",
  replay: "Safe",
  capabilities: [],
  parameters: Schema.Struct({ text: Schema.String, alphabet: Alphabet }),
  output: Schema.Struct({ base64: Schema.String }),
  forModel: ({ base64 }) => base64,
  execute: Effect.fnUntraced(function* ({ alphabet, text }) {
    if (!text.isWellFormed()) return yield* mistake("text", "half a surrogate pair has no bytes")
    const bytes = Buffer.from(text, "utf8")
    const base64 = bytes.toString(alphabet === "url" ? "base64url" : "base64")
    return Tool.result({ output: { base64 }, display: `Encoded ${bytes.length} bytes` })
  })
})
