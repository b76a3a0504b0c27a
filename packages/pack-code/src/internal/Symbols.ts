/** Symbols of a source file as data. */

export const kinds = [
  "function",
  "method",
  "struct",
  "enum",
  "trait",
  "impl",
  "const",
  "static",
  "type",
  "module",
  "class",
  "interface",
  "variable",
  "unknown"
] as const

export type Kind = (typeof kinds)[number]

/** A range. Lines and columns count from 1, bytes from 0; columns are in characters, and the end is exclusive. */
export interface Span {
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly startByte: number
  readonly endByte: number
  /** The digest of these bytes: `sha256:` and 64 hexadecimal digits. */
  readonly digest: string
}

export interface CodeSymbol extends Span {
  readonly name: string
  readonly kind: Kind
  /** The declaration without its body, on one line. */
  readonly signature: string
  /** The documentation comment without its markers; null: there is none. */
  readonly doc: string | null
  /** The names of the enclosing symbols, joined by dots; null: it is at the top level. */
  readonly container: string | null
}

/** The symbols and names of one file. */
export interface FileSymbols {
  readonly symbols: ReadonlyArray<CodeSymbol>
  /** The number of occurrences of each name outside of comments and strings. */
  readonly words: ReadonlyMap<string, number>
  /** The modules that the file imports, as written: paths, packages, dotted names. */
  readonly imports: ReadonlyArray<string>
  /** The modules among `imports` whose names the file re-exports. */
  readonly reexports: ReadonlyArray<string>
  /** The file's top-level exports; empty: its language has no exports, or it is a script. */
  readonly exported: ReadonlyArray<string>
  /** True if symbols beyond the bound were left out. */
  readonly truncated: boolean
}
