/** `find_symbols`: finds declarations by name and kind, each with its signature, its documentation and its location. */
import { Capability, Tool, ToolSchema } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { gather } from "./internal/lateSymbols.ts"
import * as Outputs from "./internal/outputs.ts"

const Hit = Schema.Struct({ path: Schema.String, ...Outputs.SymbolOutput.fields })

export const FindSymbols = Tool.make("find_symbols", {
  version: 1,
  description: "Find declarations (functions, classes, types …) by name and kind",
  tier: "ReadOnly",
  replay: "Safe",
  cache: "reads",
  timeoutMillis: 60_000,
  capabilities: [Capability.WorkspaceRead],
  parameters: Schema.Struct({
    name: Schema.NonEmptyString.annotate({ description: "Part of the name; Outer.name narrows it" }),
    path: ToolSchema.withDefault(Schema.NonEmptyString.annotate({ description: "Directory or file" }), "."),
    kinds: ToolSchema.withDefault(Schema.Array(Outputs.Kind), []),
    limit: ToolSchema.withDefault(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 500 })), 50)
  }),
  output: Schema.Struct({ symbols: Schema.Array(Hit), skipped: Outputs.Skipped, truncated: Schema.Boolean }),
  forModel: ({ skipped, symbols, truncated }) =>
    [
      ...(symbols.length === 0 ? ["[no symbol matches]"] : symbols.flatMap(linesOf)),
      ...Outputs.skippedLines(skipped),
      ...(truncated ? ["[there are more; raise limit, or name a path or kinds]"] : [])
    ].join("\n"),
  execute: Effect.fnUntraced(function* ({ kinds, limit, name, path }) {
    const last = name.split(".").findLast((part) => part !== "") ?? name
    const { files, skipped, truncated } = yield* gather(path, last)
    const hits = files
      .flatMap(({ file, path: at }) =>
        file.symbols.map((symbol) => ({ rank: rankOf(name, symbol), hit: { path: at, ...symbol } }))
      )
      .filter(({ hit, rank }) => rank !== null && (kinds.length === 0 || kinds.includes(hit.kind)))
      // The sort is stable: symbols of equal rank stay in the order of paths and lines.
      .toSorted((left, right) => (left.rank ?? 0) - (right.rank ?? 0))
      .map(({ hit }) => hit)
    const symbols = hits.slice(0, limit)
    const isCut = truncated || hits.length > limit || files.some(({ file }) => file.truncated)
    return Tool.result({
      output: { symbols, skipped, truncated: isCut },
      display: `Found ${hits.length > limit ? "more than " : ""}${Outputs.countOf(symbols.length, "symbol")} for ${name}`
    })
  })
})

/** Ranks exact names first, then beginnings, then parts; null: no match. */
const rankOf = (
  wanted: string,
  symbol: { readonly name: string; readonly container: string | null }
): number | null => {
  const fullName = wanted.includes(".") ? Outputs.qualifiedName(symbol) : symbol.name
  if (fullName === wanted || fullName.endsWith(`.${wanted}`)) return 0
  const folded = fullName.toLowerCase()
  const text = wanted.toLowerCase()
  if (folded === text) return 1
  if (folded.startsWith(text)) return 2
  return folded.includes(text) ? 3 : null
}

const linesOf = (hit: typeof Hit.Type): ReadonlyArray<string> => [
  `${Outputs.pathText(hit.path)}:${Outputs.linesText(hit)} ${hit.kind} ${Outputs.qualifiedName(hit)}: ${hit.signature}`,
  ...(hit.doc === null ? [] : hit.doc.split("\n").map((line) => `    ${line}`))
]
