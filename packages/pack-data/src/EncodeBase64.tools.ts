/** The tools of ./EncodeBase64.ts, written by @bough/tool-compiler: change that file, not this one. */
import { Tool, ToolPack, ToolSchema } from "@bough/tool"
import * as Schema from "effect/Schema"
import * as source from "./EncodeBase64.ts"

export interface EncodeBase64Arguments {
  readonly text: string
  readonly alphabet: "standard" | "url"
}
export interface EncodeBase64Input {
  readonly text: string
  readonly alphabet?: "standard" | "url"
}
export type EncodeBase64Output = { readonly base64: string }

export const EncodeBase64 = Tool.fromFunction<"encode_base64", EncodeBase64Arguments, EncodeBase64Output, [], "ReadOnly", EncodeBase64Input>("encode_base64", {
  version: 1,
  description: "Encode text as base64",
  tier: "ReadOnly",
  replay: "Safe",
  capabilities: [],
  parameters: Schema.Struct({
    text: Schema.String,
    alphabet: ToolSchema.withDefault(Schema.Literals(["standard", "url"]).annotate({ description: "url: - and _ instead of + and /" }), "standard")
  }),
  output: Schema.Struct({ base64: Schema.String }),
  forModel: source.encodedText,
  result: (input) => source.encodeBase64(input.text, input.alphabet)
})

export const pack: ToolPack.ToolPack<never, {
  readonly encode_base64: typeof EncodeBase64
}> = ToolPack.fromRecord({
  encode_base64: EncodeBase64
})
