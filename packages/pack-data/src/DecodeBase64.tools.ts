/** The tools of ./DecodeBase64.ts, written by @bough/tool-compiler: change that file, not this one. */
import { Tool, ToolPack, ToolSchema } from "@bough/tool"
import * as Schema from "effect/Schema"
import * as source from "./DecodeBase64.ts"

export interface DecodeBase64Arguments {
  readonly base64: string
  readonly alphabet: "standard" | "url"
}
export interface DecodeBase64Input {
  readonly base64: string
  readonly alphabet?: "standard" | "url"
}
export type DecodeBase64Output = { readonly text?: string; readonly hex?: string; readonly totalBytes: number }

export const DecodeBase64 = Tool.fromFunction<"decode_base64", DecodeBase64Arguments, DecodeBase64Output, [], "ReadOnly", DecodeBase64Input>("decode_base64", {
  version: 1,
  description: "Decode base64 to text, or to hex if it is not UTF-8",
  tier: "ReadOnly",
  replay: "Safe",
  capabilities: [],
  parameters: Schema.Struct({
    base64: Schema.String.annotate({ description: "Line breaks and missing padding are fine" }),
    alphabet: ToolSchema.withDefault(Schema.Literals(["standard", "url"]).annotate({ description: "url: - and _ instead of + and /" }), "standard")
  }),
  output: Schema.Struct({ text: Schema.optionalKey(Schema.String), hex: Schema.optionalKey(Schema.String.annotate({ description: "The first 1024 bytes." })), totalBytes: Schema.Finite }),
  forModel: source.decodedText,
  result: (input) => source.decodeBase64(input.base64, input.alphabet)
})

export const pack: ToolPack.ToolPack<never, {
  readonly decode_base64: typeof DecodeBase64
}> = ToolPack.fromRecord({
  decode_base64: DecodeBase64
})
