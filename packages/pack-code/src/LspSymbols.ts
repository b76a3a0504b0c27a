/** `lsp_symbols`: the declarations of a file, or of its project by name, according to the compiler. */
import { Capability, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { countOf } from "./internal/outputs.ts"
import * as Fields from "./internal/symbolFields.ts"

const Found = Schema.Struct({
  path: Schema.String,
  name: Schema.String,
  kind: Schema.String,
  line: Schema.Natural,
  endLine: Schema.Natural,
  container: Schema.NullOr(Schema.String)
})

const maxSymbols = 500

export const LspSymbols = Tool.make("lsp_symbols", {
  version: 1,
  description: "List declarations of a file, or find them in its project, by its language server",
  tier: "ReadOnly",
  replay: "Safe",
  timeoutMillis: 90_000,
  capabilities: [Capability.CodeIntelligence],
  requires: ["CodeIntelligence"],
  parameters: Schema.Struct({
    path: Fields.path,
    query: Schema.optionalKey(Schema.NonEmptyString.annotate({ description: "Part of a name, in the whole project" }))
  }),
  output: Schema.Struct({ symbols: Schema.Array(Found), omitted: Schema.Natural }),
  forModel: ({ omitted, symbols }) =>
    [
      ...(symbols.length === 0 ? ["[no symbols]"] : symbols.map(lineOf)),
      ...(omitted === 0 ? [] : [`[${countOf(omitted, "more symbol")}]`])
    ].join("\n"),
  execute: Effect.fnUntraced(function* ({ path, query }) {
    const code = yield* Capability.CodeIntelligence
    const { items, omitted } = yield* query === undefined ? code.symbols(path) : code.findSymbols(path, query)
    const symbols = items
      .slice(0, maxSymbols)
      .map(({ container, endLine, kind, line, name, path: at }) => ({ path: at, name, kind, line, endLine, container }))
    return Tool.result({
      output: { symbols, omitted: omitted + items.length - symbols.length },
      display: `${countOf(symbols.length, "symbol")} ${query === undefined ? `in ${path}` : `for ${query}`}`
    })
  })
})

const lineOf = ({ container, endLine, kind, line, name, path }: typeof Found.Type): string =>
  `${path}:${line}${endLine === line ? "" : `-${endLine}`} ${kind} ${container === null ? name : `${container}.${name}`}`
