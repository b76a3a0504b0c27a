/** `lsp_definition`: the location where a symbol is defined. */
import { Capability, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Places from "./internal/codeLocations.ts"
import { countOf } from "./internal/outputs.ts"
import * as Fields from "./internal/symbolFields.ts"

export const LspDefinition = Tool.make("lsp_definition", {
  version: 1,
  description: "Find where a symbol is defined, by its language server",
  ...Fields.aboutSymbol,
  output: Places.LocationsOutput,
  forModel: Places.forModel,
  execute: Effect.fnUntraced(function* (symbol) {
    const code = yield* Capability.CodeIntelligence
    const position = yield* Fields.positionOf(symbol)
    const output = yield* Places.withLines(yield* code.definition(symbol.path, position))
    return Tool.result({ output, display: `${countOf(output.places.length, "definition")} of ${symbol.name}` })
  })
})
