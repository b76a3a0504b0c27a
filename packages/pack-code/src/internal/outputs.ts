/** Results of the tools, as schemas and as text for the model. */
import * as Schema from "effect/Schema"
import { type CodeSymbol, kinds } from "./Symbols.ts"

export const Kind = Schema.Literals(kinds)

export const SymbolOutput = Schema.Struct({
  name: Schema.String,
  kind: Kind,
  container: Schema.NullOr(Schema.String),
  signature: Schema.String,
  doc: Schema.NullOr(Schema.String),
  line: Schema.Natural,
  column: Schema.Natural,
  endLine: Schema.Natural,
  startByte: Schema.Natural,
  endByte: Schema.Natural,
  digest: Schema.String
})

export const Skipped = Schema.Array(Schema.Struct({ path: Schema.String, reason: Schema.String }))

const maxSkippedNamed = 5

/** Formats a name; a name that could be mistaken for another line is written as JSON. */
export const pathText = (path: string): string => (/\p{Cc}/u.test(path) ? JSON.stringify(path) : path)

export const qualifiedName = ({ container, name }: Pick<CodeSymbol, "container" | "name">): string =>
  container === null ? name : `${container}.${name}`

/** Formats lines as "12" or "12-40". */
export const linesText = ({ endLine, line }: Pick<CodeSymbol, "endLine" | "line">): string =>
  line === endLine ? `${line}` : `${line}-${endLine}`

export const skippedLines = (skipped: typeof Skipped.Type): ReadonlyArray<string> => [
  ...skipped.slice(0, maxSkippedNamed).map(({ path, reason }) => `[skipped ${pathText(path)}: ${reason}]`),
  ...(skipped.length > maxSkippedNamed ? [`[skipped ${skipped.length - maxSkippedNamed} more files]`] : [])
]

export const countOf = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`
