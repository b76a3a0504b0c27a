/**
 * Splits code into spans by meaning. The library and each grammar are loaded with the first code of that language; before
 * that, and for unknown languages, there are no spans.
 */
import type { HLJSApi } from "highlight.js"
import { grammars, type Language } from "./Languages.ts"

export type Kind =
  | "keyword"
  | "string"
  | "number"
  | "comment"
  | "name"
  | "type"
  | "attribute"
  | "meta"
  | "added"
  | "removed"

export interface Span {
  /** Null: the span has no colour. */
  readonly kind: Kind | null
  readonly text: string
}

/** Kinds by the first word of the library's classes. */
const kinds: Readonly<Record<string, Kind>> = {
  keyword: "keyword",
  doctag: "keyword",
  "selector-tag": "keyword",
  name: "keyword",
  section: "keyword",
  string: "string",
  regexp: "string",
  addition: "added",
  char: "string",
  link: "string",
  number: "number",
  literal: "number",
  symbol: "number",
  bullet: "number",
  comment: "comment",
  quote: "comment",
  title: "name",
  function: "name",
  "selector-class": "name",
  "selector-id": "name",
  type: "type",
  built_in: "type",
  class: "type",
  attr: "attribute",
  attribute: "attribute",
  property: "attribute",
  variable: "attribute",
  "template-variable": "attribute",
  meta: "meta",
  tag: "meta",
  deletion: "removed"
}

/**
 * The limits of code and of its longest line; beyond them code has a single colour, because one call must take less
 * than 25 ms.
 */
const maxCharacters = 12_000
const maxLineLength = 1_000

let library: HLJSApi | null = null
const loading = new Map<Language, Promise<void>>()
const settled = new Set<Language>()

export const isSettled = (language: Language): boolean => settled.has(language)

/** Loads a grammar once. If a grammar cannot be loaded, its code has one colour. */
export const load = (language: Language): Promise<void> => {
  const pendingLoad = loading.get(language)
  if (pendingLoad !== undefined) return pendingLoad
  const work = register(language).finally(() => settled.add(language))
  loading.set(language, work)
  return work
}

const register = (language: Language): Promise<void> =>
  Promise.all([import("highlight.js/lib/core"), grammars[language]()]).then(
    ([core, grammar]) => {
      library = core.default
      return library.registerLanguage(language, grammar.default)
    },
    () => undefined
  )

/** Returns lines of spans; null: the code has a single colour. */
export const lines = (code: string, language: Language): ReadonlyArray<ReadonlyArray<Span>> | null => {
  const isLong = code.length > maxCharacters || code.split("\n").some((line) => line.length > maxLineLength)
  if (isLong || library?.getLanguage(language) === undefined) return null
  const key = `${language}\n${code}`
  const known = recent.get(key)
  if (known !== undefined) return known
  const spanLines = splitLines(readSpans(library.highlight(code, { language, ignoreIllegals: true }).value))
  if (recent.size >= maxRecent) recent.delete(recent.keys().next().value ?? "")
  recent.set(key, spanLines)
  return spanLines
}

/** Caches recent code, because every frame lays out the same text again. */
const recent = new Map<string, ReadonlyArray<ReadonlyArray<Span>>>()
const maxRecent = 16

const markup = /<span class="([^"]*)">|(<\/span>)|([^<]+)/gu
const entities: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#x27;": "'"
}

/** Parses the spans of the library's HTML, which contains only `span` elements and these entities. */
const readSpans = (html: string): ReadonlyArray<Span> => {
  const open: Array<Kind | null> = []
  const spans: Array<Span> = []
  for (const [, classes, close, text] of html.matchAll(markup)) {
    if (classes !== undefined) open.push(kindOf(classes) ?? open.at(-1) ?? null)
    else if (close !== undefined) open.pop()
    else if (text !== undefined) {
      const plain = text.replaceAll(/&(?:amp|lt|gt|quot|#x27);/gu, (entity) => entities[entity])
      spans.push({ kind: open.at(-1) ?? null, text: plain })
    }
  }
  return spans
}

/** Returns the kind of a span by its classes: `hljs-title function_` is a title. */
const kindOf = (classes: string): Kind | undefined => {
  const name = (/hljs-([\w-]+)/u.exec(classes)?.[1] ?? "").replace(/_$/u, "")
  return Object.hasOwn(kinds, name) ? kinds[name] : undefined
}

const splitLines = (spans: ReadonlyArray<Span>): ReadonlyArray<ReadonlyArray<Span>> => {
  const spanLines: Array<Array<Span>> = [[]]
  for (const { kind, text } of spans) {
    for (const [at, part] of text.split("\n").entries()) {
      if (at > 0) spanLines.push([])
      if (part !== "") spanLines.at(-1)?.push({ kind, text: part })
    }
  }
  return spanLines
}
