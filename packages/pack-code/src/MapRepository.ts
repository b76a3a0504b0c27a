/** `map_repository`: the most referenced files and declarations of a directory, within a number of tokens. */
import { Capability, Tool, ToolSchema } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { gather, packagesIn, rank } from "./internal/lateSymbols.ts"
import * as Outputs from "./internal/outputs.ts"
import type { RankedFile } from "./internal/ranking.ts"

const Declaration = Schema.Struct({
  name: Schema.String,
  kind: Outputs.Kind,
  signature: Schema.String,
  line: Schema.Natural,
  endLine: Schema.Natural,
  references: Schema.Natural
})

const MappedFile = Schema.Struct({ path: Schema.String, rank: Schema.Finite, symbols: Schema.Array(Declaration) })

/** The assumed characters per token of code; a higher number could exceed the limit. */
const charactersPerToken = 3
const maxSymbolsPerFile = 20
/** The maximum length of a signature in a map. */
const maxSignature = 120

export const MapRepository = Tool.make("map_repository", {
  version: 2,
  description: "Show the most referred to files and declarations of a directory",
  tier: "ReadOnly",
  replay: "Safe",
  cache: "reads",
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
    const ranked = yield* rank(files, yield* packagesIn(path))
    const declaring = ranked.filter(({ symbols }) => symbols.length > 0)
    const mapped = fit(declaring, maxTokens * charactersPerToken)
    return Tool.result({
      output: { files: mapped, omittedFiles: declaring.length - mapped.length, skipped, truncated },
      display: `Mapped ${mapped.length} of ${Outputs.countOf(files.length, "file")}`
    })
  })
})

/** Returns the most referenced declarations of all files, as many as fit, by file. */
const fit = (files: ReadonlyArray<RankedFile>, maxCharacters: number): ReadonlyArray<typeof MappedFile.Type> => {
  const candidates = files.flatMap((file) => {
    const total = file.symbols.reduce((sum, { references }) => sum + weightOf(references), 0)
    return file.symbols.slice(0, maxSymbolsPerFile).map(({ endLine, kind, line, name, references, signature }) => ({
      file,
      score: (file.rank * weightOf(references)) / total,
      declaration: { name, kind, line, endLine, references, signature: shorten(signature) }
    }))
  })
  const chosen = new Map<RankedFile, Array<typeof Declaration.Type>>()
  let remainingCharacters = maxCharacters
  for (const { declaration, file } of candidates.toSorted((one, other) => other.score - one.score)) {
    const before = chosen.get(file)
    const size = lineOf(declaration).length + 1 + (before === undefined ? Outputs.pathText(file.path).length + 1 : 0)
    if (size > remainingCharacters) continue
    remainingCharacters -= size
    chosen.set(file, [...(before ?? []), declaration])
  }
  return files.flatMap((file) => {
    const symbols = chosen.get(file)
    if (symbols === undefined) return []
    return [{ path: file.path, rank: file.rank, symbols: symbols.toSorted((one, other) => one.line - other.line) }]
  })
}

/** Weighs uses by their logarithm; a declaration without uses elsewhere still has a small weight. */
const weightOf = (references: number): number => Math.sqrt(references) + 0.1

const shorten = (text: string): string => (text.length > maxSignature ? `${text.slice(0, maxSignature)}…` : text)

const linesOf = ({ path, symbols }: typeof MappedFile.Type): ReadonlyArray<string> => [
  Outputs.pathText(path),
  ...symbols.map(lineOf)
]

const lineOf = (symbol: typeof Declaration.Type): string =>
  `  ${Outputs.linesText(symbol)} ${symbol.kind} ${symbol.signature}`
