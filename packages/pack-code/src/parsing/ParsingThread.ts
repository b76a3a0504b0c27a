/**
 * The thread in which source files are parsed. It runs as a worker of `internal/parsing.ts`, and must not be imported.
 */
import * as Answering from "@bough/thread/Answering"
import { isUtf8 } from "node:buffer"
import { fileURLToPath } from "node:url"
import { Language as Grammar, Parser, Query } from "web-tree-sitter"
import { extract } from "../internal/extract.ts"
import { byName, type Language } from "../internal/languages.ts"
import type { FileSymbols } from "../internal/Symbols.ts"

export interface Request {
  readonly files: ReadonlyArray<{ readonly language: string; readonly bytes: Uint8Array }>
  readonly maxMillisPerFile: number
}

/** The results in the order of the request. A string is the reason why a file could not be read. */
export type Reply = ReadonlyArray<FileSymbols | string>

interface LoadedGrammar {
  readonly grammar: Grammar
  readonly query: Query
}

const loaded = new Map<string, Promise<LoadedGrammar>>()
const parser = Parser.init().then(() => new Parser())

/** Loads a grammar. It rejects after a fault of the grammar, whose memory is then unreliable, and the thread ends. */
const load = ({ grammar: specifier, name, query }: Language): Promise<LoadedGrammar> => {
  const known = loaded.get(name)
  if (known !== undefined) return known
  const loadedGrammar = parser
    .then(() => Grammar.load(fileURLToPath(import.meta.resolve(specifier))))
    .then((grammar) => ({ grammar, query: new Query(grammar, query) }))
  loaded.set(name, loadedGrammar)
  return loadedGrammar
}

const tooSlow = "it takes too long to parse"

const read = (name: string, bytes: Uint8Array, maxMillis: number): Promise<FileSymbols | string> => {
  const language = byName.get(name)
  if (language === undefined) return Promise.reject(new Error(`there is no grammar for ${name}`))
  return Promise.all([parser, load(language)]).then(([ready, { grammar, query }]) => {
    const source = { bytes, language, text: textOf(bytes) }
    ready.setLanguage(grammar)
    const deadline = performance.now() + maxMillis
    const tree = ready.parse(source.text, null, { progressCallback: () => performance.now() > deadline })
    if (tree === null) {
      ready.reset()
      return tooSlow
    }
    const symbols = extract(source, { root: tree.rootNode, query, deadline })
    tree.delete()
    return symbols ?? tooSlow
  })
}

/** Decodes the bytes; bytes that are not UTF-8 are read as one character each, so that offsets stay correct. */
const textOf = (bytes: Uint8Array): string =>
  isUtf8(bytes) ? new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes) : new TextDecoder("latin1").decode(bytes)

/** Reads one file after another. */
const readAll = (files: Request["files"], maxMillis: number): Promise<Reply> =>
  files.reduce<Promise<Reply>>(
    (before, { bytes, language }) =>
      before.then((replies) => read(language, bytes, maxMillis).then((reply) => [...replies, reply])),
    Promise.resolve([])
  )

Answering.serve(({ files, maxMillisPerFile }: Request) => readAll(files, maxMillisPerFile))
