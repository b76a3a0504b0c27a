/** `outline_file`: all declarations of one source file, as a tree. */
import { ToolError } from "@bough/protocol"
import { Capability, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { gather } from "./internal/lateSymbols.ts"
import * as Outputs from "./internal/outputs.ts"

export const OutlineFile = Tool.make("outline_file", {
  version: 1,
  description: "List the declarations of a source file with their lines",
  tier: "ReadOnly",
  replay: "Safe",
  capabilities: [Capability.WorkspaceRead],
  parameters: Schema.Struct({ path: Schema.NonEmptyString }),
  output: Schema.Struct({
    path: Schema.String,
    language: Schema.String,
    symbols: Schema.Array(Outputs.SymbolOutput),
    truncated: Schema.Boolean
  }),
  forModel: ({ symbols, truncated }) =>
    symbols.length === 0
      ? "[no declarations]"
      : [...symbols.map(lineOf), ...(truncated ? ["[there are more]"] : [])].join("\n"),
  execute: Effect.fnUntraced(function* ({ path }) {
    const { files } = yield* gather(path, null)
    const [only] = files
    if (only === undefined || files.length > 1) {
      return yield* new ToolError.ValidationError({
        message: `${path} is a directory: map_repository shows what it declares`,
        field: "path",
        issues: []
      })
    }
    const { file, language } = only
    return Tool.result({
      output: { path, language, symbols: file.symbols, truncated: file.truncated },
      display: `${Outputs.countOf(file.symbols.length, "declaration")} in ${path}`
    })
  })
})

const lineOf = (symbol: typeof Outputs.SymbolOutput.Type): string => {
  const depth = symbol.container === null ? 0 : symbol.container.split(".").length
  return `${"  ".repeat(depth)}${Outputs.linesText(symbol)} ${symbol.kind} ${symbol.name}: ${symbol.signature}`
}
