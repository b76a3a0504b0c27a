/**
 * Decodes the replies of a server item by item, within limits. Items that do not match the protocol are omitted and
 * counted.
 */
import type { CodeIntelligence } from "@bough/tool"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { WorkspacePaths } from "./WorkspacePaths.ts"

type Results<A> = CodeIntelligence.Results<A>

/** The maximum number of items of one reply. */
const maxItems = 1000
const maxNameLength = 300
const maxHoverLength = 16_000
const maxMessageLength = 2000
export const maxEditedFiles = 500
const maxEdits = 20_000
const maxNewTextLength = 100_000
/** Symbols below this depth are omitted. */
const maxSymbolDepth = 20

/** Removes characters that control a terminal or hide words from a text of a server. Line breaks are kept. */
const plainText = (text: string, maxLength: number): string => {
  const plain = text
    .slice(0, maxLength * 2)
    .replaceAll(/(?![\n\t])[\p{Cc}\p{Cf}]/gu, "")
    .toWellFormed()
  return plain.length > maxLength ? `${plain.slice(0, maxLength).toWellFormed()}…` : plain
}

export const plainLine = (text: string, maxLength: number): string =>
  plainText(text, maxLength).replaceAll(/\s+/gu, " ").trim()

const Index = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 ** 31 }))
const Position = Schema.Struct({ line: Index, character: Index })
const Range = Schema.Struct({ start: Position, end: Position })
type Range = typeof Range.Type

const Location = Schema.Struct({ uri: Schema.String, range: Range })
const LocationLink = Schema.Struct({ targetUri: Schema.String, targetSelectionRange: Range })
const decodeLocation = Schema.decodeUnknownOption(Location)
const decodeLink = Schema.decodeUnknownOption(LocationLink)

const listOf = (reply: unknown): ReadonlyArray<unknown> =>
  Array.isArray(reply) ? reply : reply === null || reply === undefined ? [] : [reply]

const spanOf = ({ end, start }: Range): CodeIntelligence.Span => ({
  line: start.line + 1,
  column: start.character + 1,
  endLine: end.line + 1,
  endColumn: end.character + 1
})

const placeOf = (paths: WorkspacePaths, uri: string, range: Range): CodeIntelligence.Location | null => {
  const path = paths.fromUri(uri)
  return path === null ? null : { path, ...spanOf(range) }
}

/** Reads each item up to the limit. If `read` returns null, the item is omitted. */
const gather = <A>(items: ReadonlyArray<unknown>, read: (item: unknown) => A | null): Results<A> => {
  const found = items.slice(0, maxItems).flatMap((item): ReadonlyArray<A> => {
    const one = read(item)
    return one === null ? [] : [one]
  })
  return { items: found, omitted: items.length - found.length }
}

/** Decodes locations: one or a list, plain or as links. */
export const places = (paths: WorkspacePaths, reply: unknown): Results<CodeIntelligence.Location> =>
  gather(listOf(reply), (item) => {
    const location = Option.getOrNull(decodeLocation(item))
    if (location !== null) return placeOf(paths, location.uri, location.range)
    const link = Option.getOrNull(decodeLink(item))
    return link === null ? null : placeOf(paths, link.targetUri, link.targetSelectionRange)
  })

const Markup = Schema.Struct({ value: Schema.String })
const decodeMarkup = Schema.decodeUnknownOption(Markup)

const markupText = (content: unknown): string =>
  typeof content === "string"
    ? content
    : Option.match(decodeMarkup(content), { onNone: () => "", onSome: ({ value }) => value })

/** Returns the text of a hover reply; null: there is none. */
export const hover = (reply: unknown): string | null => {
  if (reply === null || typeof reply !== "object" || !("contents" in reply)) return null
  const text = listOf(reply.contents).slice(0, maxItems).map(markupText).join("\n\n")
  const plain = plainText(text, maxHoverLength).trim()
  return plain === "" ? null : plain
}

/** The kinds of symbols, by their numbers in the protocol. */
const kinds: ReadonlyArray<string> = [
  "symbol",
  "file",
  "module",
  "namespace",
  "package",
  "class",
  "method",
  "property",
  "field",
  "constructor",
  "enum",
  "interface",
  "function",
  "variable",
  "constant",
  "string",
  "number",
  "boolean",
  "array",
  "object",
  "key",
  "null",
  "enum member",
  "struct",
  "event",
  "operator",
  "type parameter"
]

const kindOf = (kind: number): string => kinds[kind] ?? "symbol"

const DocumentSymbol = Schema.Struct({
  name: Schema.String,
  kind: Schema.Number,
  range: Range,
  selectionRange: Range,
  children: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.Unknown)))
})
const SymbolInformation = Schema.Struct({
  name: Schema.String,
  kind: Schema.Number,
  location: Location,
  containerName: Schema.optionalKey(Schema.NullOr(Schema.String))
})
const decodeDocumentSymbol = Schema.decodeUnknownOption(DocumentSymbol)
const decodeSymbolInformation = Schema.decodeUnknownOption(SymbolInformation)

/** Decodes the symbols of a file or of a project, as a tree or a list. `path` is the file of a tree. */
export const symbols = (
  paths: WorkspacePaths,
  reply: unknown,
  path: string | null
): Results<CodeIntelligence.SymbolLocation> => {
  const found: Array<CodeIntelligence.SymbolLocation> = []
  let omitted = 0
  const take = (items: ReadonlyArray<unknown>, containers: ReadonlyArray<string>): void => {
    for (const item of items) {
      const one = found.length < maxItems ? symbolOf(paths, item, { around: containers, path }) : null
      if (one === null) omitted += 1
      else {
        found.push(one.symbol)
        const inner = [...containers, one.symbol.name]
        if (inner.length < maxSymbolDepth) take(one.children, inner)
        else omitted += one.children.length
      }
    }
  }
  take(listOf(reply), [])
  return { items: found, omitted }
}

interface SymbolLocation {
  readonly around: ReadonlyArray<string>
  readonly path: string | null
}

const symbolOf = (paths: WorkspacePaths, item: unknown, { around, path }: SymbolLocation) => {
  const container = around.length === 0 ? null : around.join(".")
  const nested = path === null ? null : Option.getOrNull(decodeDocumentSymbol(item))
  if (nested !== null && path !== null) {
    const { children, kind, name, range, selectionRange } = nested
    // The range begins at the name, and ends with the declaration.
    const { line, column } = spanOf(selectionRange)
    const { endColumn, endLine } = spanOf(range)
    const span = { line, column, endLine, endColumn }
    const symbol = { name: plainLine(name, maxNameLength), kind: kindOf(kind), path, ...span, container }
    return { symbol, children: children ?? [] }
  }
  const flat = Option.getOrNull(decodeSymbolInformation(item))
  const place = flat === null ? null : placeOf(paths, flat.location.uri, flat.location.range)
  if (flat === null || place === null) return null
  const containerName = plainLine(flat.containerName ?? "", maxNameLength)
  const symbol = {
    name: plainLine(flat.name, maxNameLength),
    kind: kindOf(flat.kind),
    ...place,
    container: containerName === "" ? null : containerName
  }
  return { symbol, children: [] }
}

const Diagnostic = Schema.Struct({
  range: Range,
  severity: Schema.optionalKey(Schema.NullOr(Schema.Number)),
  code: Schema.optionalKey(Schema.NullOr(Schema.Union([Schema.String, Schema.Number]))),
  source: Schema.optionalKey(Schema.NullOr(Schema.String)),
  message: Schema.Union([Schema.String, Markup])
})
const decodeDiagnostic = Schema.decodeUnknownOption(Diagnostic)

const severities = ["error", "warning", "information", "hint"] as const

/** Decodes diagnostics in the order of the file. If the reply is not a list, there are none. */
export const problems = (reply: unknown): ReadonlyArray<CodeIntelligence.Problem> =>
  gather(Array.isArray(reply) ? reply : [], (item) => {
    const found = Option.getOrNull(decodeDiagnostic(item))
    if (found === null) return null
    const { code, message, range, severity, source } = found
    return {
      ...spanOf(range),
      severity: severities[(severity ?? 1) - 1] ?? "error",
      message: plainText(markupText(message), maxMessageLength).trim(),
      code: code === undefined || code === null ? null : plainLine(String(code), 100),
      source: source === undefined || source === null ? null : plainLine(source, 100)
    }
  }).items.toSorted((one, other) => one.line - other.line || one.column - other.column)

const Published = Schema.Struct({
  uri: Schema.String,
  version: Schema.optionalKey(Schema.NullOr(Schema.Int)),
  diagnostics: Schema.Array(Schema.Unknown)
})
/** Decodes a `textDocument/publishDiagnostics` notification. */
export const decodePublished = Schema.decodeUnknownOption(Published)

const Report = Schema.Struct({ items: Schema.Array(Schema.Unknown) })
/** Decodes the answer to `textDocument/diagnostic`. */
export const decodeReport = Schema.decodeUnknownOption(Report)

const Edit = Schema.Struct({ range: Range, newText: Schema.String })
const FileEdits = Schema.Struct({ textDocument: Schema.Struct({ uri: Schema.String }), edits: Schema.Array(Edit) })
const decodeWorkspaceEdit = Schema.decodeUnknownOption(
  Schema.Struct({
    changes: Schema.optionalKey(Schema.NullOr(Schema.Record(Schema.String, Schema.Array(Edit)))),
    documentChanges: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.Unknown)))
  })
)
const decodeFileEdits = Schema.decodeUnknownOption(FileEdits)

/** Decodes all edits of a rename. A failure is a sentence that explains why the edits cannot be made. */
export const renameEdits = (
  paths: WorkspacePaths,
  reply: unknown
): ReadonlyArray<CodeIntelligence.FileEdit> | string => {
  const edit = Option.getOrNull(decodeWorkspaceEdit(reply))
  if (edit === null) return "nothing can be renamed there"
  const byUri: Array<readonly [string, ReadonlyArray<typeof Edit.Type>]> = []
  for (const change of edit.documentChanges ?? []) {
    const edits = Option.getOrNull(decodeFileEdits(change))
    if (edits === null) return "the server wants to do more than edit text, such as renaming a file"
    byUri.push([edits.textDocument.uri, edits.edits])
  }
  if (edit.documentChanges === undefined || edit.documentChanges === null) {
    byUri.push(...Object.entries(edit.changes ?? {}))
  }
  const byPath = new Map<string, Array<CodeIntelligence.TextEdit>>()
  let count = 0
  for (const [uri, edits] of byUri) {
    const path = paths.fromUri(uri)
    if (path === null) return `it would change a file outside the workspace: ${plainLine(uri, maxNameLength)}`
    const known = byPath.get(path) ?? []
    for (const { newText, range } of edits) {
      if (newText.length > maxNewTextLength) return "it would insert more text than one rename allows"
      known.push({ ...spanOf(range), newText })
    }
    count += edits.length
    if (known.length > 0) byPath.set(path, known)
  }
  if (byPath.size > maxEditedFiles || count > maxEdits) {
    return `it would change ${byPath.size} files in ${count} places, more than one rename allows`
  }
  const files: Array<CodeIntelligence.FileEdit> = []
  for (const [path, edits] of byPath) {
    const ordered = edits.toSorted((one, other) => one.line - other.line || one.column - other.column)
    if (overlap(ordered)) return `its edits of ${path} overlap`
    files.push({ path, edits: ordered })
  }
  return files.toSorted((one, other) => (one.path < other.path ? -1 : 1))
}

const isAfter = (line: number, column: number, span: CodeIntelligence.Span): boolean =>
  line > span.endLine || (line === span.endLine && column >= span.endColumn)

const overlap = (ordered: ReadonlyArray<CodeIntelligence.TextEdit>): boolean =>
  ordered.some((edit, at) => {
    const before = ordered[at - 1]
    return before !== undefined && !isAfter(edit.line, edit.column, before)
  })
