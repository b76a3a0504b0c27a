/**
 * Extracts the symbols of a parsed file, and the names in it. The functions do not use Effect, because they run in a
 * thread.
 */
import { Canonical } from "@bough/protocol"
import type { Node, Query, QueryMatch } from "web-tree-sitter"
import { documentationOf } from "./documentation.ts"
import * as ImportedModules from "./importedModules.ts"
import type { Language } from "./languages.ts"
import { type DeclarationNode, owners, refine } from "./refineKind.ts"
import { signatureOf } from "./signature.ts"
import { type CodeSymbol, type FileSymbols, type Kind, kinds } from "./Symbols.ts"

/** The maximum number of symbols of one file. */
const maxSymbols = 5000
const maxNameLength = 200
/** The maximum number of different names of one file that are counted. */
const maxWords = 20_000

const isKind = (name: string): name is Kind => (kinds as ReadonlyArray<string>).includes(name)

interface CapturedDeclaration extends DeclarationNode {
  /** The type that a method names as its owner, such as the receiver in Go. */
  readonly qualifier: Node | null
}

export interface Source {
  readonly language: Language
  /** The file's bytes, and the text for the parser: `text.length` may differ from the number of bytes. */
  readonly bytes: Uint8Array
  readonly text: string
}

export interface ParsedFile {
  readonly root: Node
  readonly query: Query
  /** The time at which the extraction stops. */
  readonly deadline: number
}

/** Extracts the symbols; null: the time is over. */
export const extract = (source: Source, { deadline, query, root }: ParsedFile): FileSymbols | null => {
  let isLate = false
  const matches = query.matches(root, { progressCallback: () => (isLate ||= performance.now() > deadline) })
  if (isLate) return null
  const { declarations, exported, modules, quiet } = capturesOf(matches)
  const writer = new SymbolWriter(source, exported)
  for (const declaration of declarations.slice(0, maxSymbols)) {
    if (performance.now() > deadline) return null
    writer.add(declaration)
  }
  return {
    symbols: writer.symbols,
    words: wordsOf(source.text, quiet),
    ...modules.all(),
    exported: [...exported],
    truncated: declarations.length > maxSymbols
  }
}

interface Captures {
  /** The declarations in the order of the text; a declaration stands before those inside it. */
  readonly declarations: ReadonlyArray<CapturedDeclaration>
  readonly modules: ReturnType<typeof ImportedModules.make>
  readonly exported: Set<string>
  /** The ranges whose words are not counted. */
  readonly quiet: ReadonlyArray<readonly [number, number]>
}

const capturesOf = (matches: ReadonlyArray<QueryMatch>): Captures => {
  const declarations = new Map<number, CapturedDeclaration>()
  const quiet: Array<readonly [number, number]> = []
  const modules = ImportedModules.make()
  const exported = new Set<string>()
  for (const { captures } of matches) {
    const captureNamed = (name: string) => captures.find((capture) => capture.name === name)?.node ?? null
    const declared = captures.find(({ name }) => isKind(name))
    const nameNode = captureNamed("name")
    if (declared === undefined || nameNode === null) {
      for (const { name, node } of captures) {
        if (name === "exports") exported.add(node.text)
        if (name === "imports" || name === "reexports") modules.take(node, name === "reexports")
      }
      const silent = captureNamed("quiet")
      if (silent !== null) quiet.push([silent.startIndex, silent.endIndex])
      continue
    }
    // If several patterns match a node, the first is used, which is the most specific.
    if (isKind(declared.name) && !declarations.has(nameNode.id)) {
      const declaration = { node: declared.node, nameNode, kind: declared.name, qualifier: captureNamed("of") }
      declarations.set(nameNode.id, declaration)
    }
  }
  const ordered = [...declarations.values()].toSorted(
    (left, right) => left.node.startIndex - right.node.startIndex || right.node.endIndex - left.node.endIndex
  )
  return { declarations: ordered, modules, exported, quiet }
}

/** Writes the symbols of declarations that it receives in the order of the text. */
class SymbolWriter {
  readonly symbols: Array<CodeSymbol> = []
  /** The declarations that enclose the current one, the outermost first. */
  readonly #enclosing: Array<{ readonly name: string; readonly kind: Kind; readonly end: number }> = []
  readonly #source: Source
  readonly #exported: Set<string>
  readonly #byteAt: (index: number) => number

  constructor(source: Source, exported: Set<string>) {
    this.#source = source
    this.#exported = exported
    this.#byteAt = offsets(source.text, source.bytes.length)
  }

  add(declaration: CapturedDeclaration): void {
    const named = refine(this.#source.language.name, declaration)
    const { node, qualifier } = declaration
    if (named === null || named.name === "" || named.name.length > maxNameLength) return
    this.#leaveDeclarationsBefore(node)
    const owner = this.#enclosing.at(-1)
    const kind = named.kind === "function" && owner !== undefined && owners.has(owner.kind) ? "method" : named.kind
    const names = this.#enclosing.map(({ name }) => withoutArguments(name))
    const container = [...names, ...containerOf(named.ownerType, qualifier)]
    if (container.length === 0 && isExported(node)) this.#exported.add(named.name)
    this.symbols.push({
      name: named.name,
      kind,
      ...this.#describe(node),
      container: container.length === 0 ? null : container.join(".")
    })
    // A namespace declaration of one line encloses everything after it.
    const end = node.type === "file_scoped_namespace_declaration" ? Infinity : node.endIndex
    this.#enclosing.push({ name: named.name, kind, end })
  }

  #leaveDeclarationsBefore(node: Node): void {
    const end = () => this.#enclosing.at(-1)?.end ?? Infinity
    while (end() < node.endIndex || end() <= node.startIndex) this.#enclosing.pop()
  }

  #describe(node: Node): Omit<CodeSymbol, "container" | "kind" | "name"> {
    const { bytes, language, text } = this.#source
    const startByte = this.#byteAt(node.startIndex)
    const endByte = this.#byteAt(node.endIndex)
    return {
      line: node.startPosition.row + 1,
      column: characters(text, node.startIndex - node.startPosition.column, node.startIndex) + 1,
      endLine: node.endPosition.row + (node.endPosition.column === 0 && node.endIndex > node.startIndex ? 0 : 1),
      startByte,
      endByte,
      digest: Canonical.digest(bytes.subarray(startByte, endByte)),
      signature: signatureOf(node),
      doc: documentationOf(language.docs, node)
    }
  }
}

/** True for `export const a`, where the declaration or its enclosing statement is exported. */
const isExported = ({ parent }: Node): boolean =>
  parent?.type === "export_statement" || parent?.parent?.type === "export_statement"

const containerOf = (ownerType: string | null, qualifier: Node | null): ReadonlyArray<string> => {
  if (ownerType !== null) return [withoutArguments(ownerType)]
  // Takes only the name of the type from `*List[T]`.
  const [type] = /[\p{L}_][\p{L}\p{N}_]*/u.exec(qualifier?.text ?? "") ?? []
  return type === undefined ? [] : [type]
}

/** Returns `Square` for `Square<T>`. */
const withoutArguments = (type: string): string => type.replaceAll(/<[^<>]*>/gu, "")

/**
 * Returns a function that maps an index of the text to the number of bytes before it. A text with one byte per
 * character needs no table.
 */
const offsets = (text: string, byteLength: number): ((index: number) => number) => {
  if (text.length === byteLength) return (index) => index
  const step = 1024
  const marks = [0]
  for (let at = 0; at < text.length; at += step) {
    marks.push((marks.at(-1) ?? 0) + utf8Bytes(text, at, Math.min(at + step, text.length)))
  }
  return (index) => {
    const mark = Math.floor(index / step)
    return (marks[mark] ?? byteLength) + utf8Bytes(text, mark * step, index)
  }
}

/** Counts the UTF-8 bytes of a part; half of a surrogate pair counts as half of its four bytes. */
const utf8Bytes = (text: string, from: number, to: number): number => {
  let bytes = 0
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at)
    bytes += code < 0x80 ? 1 : code < 0x800 || (code >= 0xd800 && code < 0xe000) ? 2 : 3
  }
  return bytes
}

const characters = (text: string, from: number, to: number): number => {
  let count = 0
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at)
    if (code < 0xdc00 || code >= 0xe000) count++
  }
  return count
}

const word = /[\p{L}_$][\p{L}\p{N}_$]*/gu

const wordsOf = (text: string, quiet: ReadonlyArray<readonly [number, number]>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  let at = 0
  const count = (part: string) => {
    for (const [name] of part.matchAll(word)) {
      if (name.length <= maxNameLength && (counts.size < maxWords || counts.has(name))) {
        counts.set(name, (counts.get(name) ?? 0) + 1)
      }
    }
  }
  for (const [from, to] of quiet.toSorted(([left], [right]) => left - right)) {
    if (from > at) count(text.slice(at, from))
    at = Math.max(at, to)
  }
  count(text.slice(at))
  return counts
}
