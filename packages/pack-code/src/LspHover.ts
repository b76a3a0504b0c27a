/** `lsp_hover`: type and documentation of a symbol. */
import { Capability, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Fields from "./internal/symbolFields.ts"

export const LspHover = Tool.make("lsp_hover", {
  version: 1,
  description: "Show type and documentation of a symbol, by its language server",
  ...Fields.aboutSymbol,
  output: Schema.Struct({ text: Schema.NullOr(Schema.String) }),
  forModel: ({ text }) => text ?? "[the language server has no information about it]",
  execute: Effect.fnUntraced(function* (symbol) {
    const code = yield* Capability.CodeIntelligence
    const text = yield* code.hover(symbol.path, yield* Fields.positionOf(symbol))
    return Tool.result({
      output: { text },
      display: text === null ? `No information about ${symbol.name}` : `Type of ${symbol.name}`
    })
  })
})
