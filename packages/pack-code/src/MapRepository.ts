/** `map_repository`: the most referred to files and declarations of a directory, within a number of tokens. */
import { Capability, Tool, ToolSchema } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Outputs from "./internal/outputs.ts"
import { rank, type RankedFile } from "./internal/ranking.ts"
import { gather } from "./internal/workspaceSymbols.ts"

const Declaration = Schema.Struct({
  name: Schema.String,
  kind: Outputs.Kind,
  signature: Schema.String,
  line: Schema.Natural,
  endLine: Schema.Natural,
  references: Schema.Natural
})

const MappedFile = Schema.Struct({ path: Schema.String, rank: Schema.Finite, symbols: Schema.Array(Declaration) })

/** Code has about this many characters per token; fewer would promise too much. */
const charactersPerToken = 3
const maxSymbolsPerFile = 20
/** A longer signature is cut in a map. */
const maxSignature = 120

export const MapRepository = Tool.make("map_repository", {
  version: 1,
  description: "Show the most referred to files and declarations of a directory",
  tier: "ReadOnly",
  replay: "Safe",
  capabilities: [Capability.WorkspaceRead],
  timeoutMillis: 60_000,
  parameters: Schema.Struct({
    path: ToolSchema.withDefault(Schema.NonEmptyString.annotate({ description: "Directory" }), "."),
    maxTokens: ToolSchema.withDefault(Schema.Int.check(Schema.isBetween({ minimum: 100, maximum: 16_000 })), 2000)
  }),
  output: Schema.Struct({
    files: Schema.Array(MappedFile),
    omittedFiles: Schema.Natural,
    skipped: Outputs.Skipped,
    truncated: Schema.Boolean
  }),
  forModel: ({ files, omittedFiles, skipped, truncated }) =>
    [
      ...(files.length === 0 ? ["[no declarations]"] : files.flatMap(linesOf)),
      ...(omittedFiles === 0
        ? []
        : [`[${Outputs.countOf(omittedFiles, "more file")}; raise maxTokens or name a path]`]),
      ...Outputs.skippedLines(skipped),
      ...(truncated ? ["[there are more files than one map reads: name a path]"] : [])
    ].join("\n"),
  execute: Effect.fnUntraced(function* ({ maxTokens, path }) {
    const { files, skipped, truncated } = yield* gather(path, null)
    const declaring = rank(files).filter(({ symbols }) => symbols.length > 0)
    const mapped = fit(declaring, maxTokens * charactersPerToken)
    return Tool.result({
      output: { files: mapped, omittedFiles: declaring.length - mapped.length, skipped, truncated },
      display: `Mapped ${mapped.length} of ${Outputs.countOf(files.length, "file")}`
    })
  })
})

/** Files by rank, each with as many of its declarations as are left room for. */
const fit = (files: ReadonlyArray<RankedFile>, maxCharacters: number): ReadonlyArray<typeof MappedFile.Type> => {
  const mapped: Array<typeof MappedFile.Type> = []
  let left = maxCharacters
  for (const { path, rank: rankOfFile, symbols } of files) {
    const chosen: Array<typeof Declaration.Type> = []
    let room = left - Outputs.pathText(path).length - 1
    for (const { endLine, kind, line, name, references, signature } of symbols.slice(0, maxSymbolsPerFile)) {
      const one = { name, kind, line, endLine, references, signature: shortened(signature) }
      const size = lineOf(one).length + 1
      if (size > room) break
      chosen.push(one)
      room -= size
    }
    if (chosen.length === 0) break
    left = room
    mapped.push({ path, rank: rankOfFile, symbols: chosen.toSorted((one, other) => one.line - other.line) })
  }
  return mapped
}

const shortened = (text: string): string => (text.length > maxSignature ? `${text.slice(0, maxSignature)}…` : text)

const linesOf = ({ path, symbols }: typeof MappedFile.Type): ReadonlyArray<string> => [
  Outputs.pathText(path),
  ...symbols.map(lineOf)
]

const lineOf = (symbol: typeof Declaration.Type): string =>
  `  ${Outputs.linesText(symbol)} ${symbol.kind} ${symbol.signature}`
