/** The two alphabets of RFC 4648. */
import { ToolSchema } from "@bough/tool"
import * as Schema from "effect/Schema"

export const Alphabet = ToolSchema.withDefault(
  Schema.Literals(["standard", "url"]).annotate({ description: "url: - and _ for + and /" }),
  "standard"
)
