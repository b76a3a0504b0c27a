/** `lsp_references`: every use of a symbol, with its declaration. */
import { Capability, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Places from "./internal/codeLocations.ts"
import { countOf } from "./internal/outputs.ts"
import * as Fields from "./internal/symbolFields.ts"

export const LspReferences = Tool.make("lsp_references", {
  version: 1,
  description: "Find every use of a symbol, by its language server",
  ...Fields.aboutSymbol,
  output: Places.LocationsOutput,
  forModel: Places.forModel,
  execute: Effect.fnUntraced(function* (symbol) {
    const code = yield* Capability.CodeIntelligence
    const position = yield* Fields.positionOf(symbol)
    const output = yield* Places.withLines(yield* code.references(symbol.path, position))
    return Tool.result({ output, display: `${countOf(output.places.length, "use")} of ${symbol.name}` })
  })
})
