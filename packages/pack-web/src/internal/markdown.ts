/** Converts a page to Markdown: its main part if one is found, otherwise all visible text. */
import * as readability from "@mozilla/readability"
import * as Result from "effect/Result"
import Turndown from "turndown"
import * as Document from "./document.ts"
import * as PlainText from "./plainText.ts"
import * as Stripped from "./stripped.ts"
import { tableRules } from "./tables.ts"

export interface Page {
  readonly title: string
  readonly text: string
}

export type Form = "markdown" | "text"

/** The maximum length of the text; longer pages are rarely read to the end. */
const maxLength = 1024 ** 2
/** The maximum number of tags and the maximum depth. Beyond either, the recursive extractors take too long. */
const maxTags = 20_000
const maxDepth = 300

// The type declarations of both packages require those of the browser, so only the used members are declared here.
const { Readability } = readability as unknown as {
  readonly Readability: new (
    tree: Document.Tree,
    options: { readonly maxElemsToParse: number }
  ) => { readonly parse: () => { readonly title?: string | null; readonly content?: string | null } | null }
}

interface Writer {
  readonly turndown: (root: Document.Element) => string
  readonly addRule: (name: string, rule: unknown) => unknown
  readonly remove: (names: ReadonlyArray<string>) => unknown
}

/** Names an image without a link, so that a program that shows the text does not fetch it. */
const imageText = (_content: string, image: Document.Element): string => {
  const name = (image.getAttribute("alt") ?? "").replace(/\s+/g, " ").trim()
  return name === "" ? "" : `[image: ${name.replace(/[[\]]/g, "")}]`
}

const turndown = new (Turndown as unknown as new (options: unknown) => Writer)({
  headingStyle: "atx",
  codeBlockStyle: "fenced",
  bulletListMarker: "-",
  hr: "---"
})
turndown.remove(["script", "style", "noscript", "iframe"])
turndown.addRule("image", { filter: "img", replacement: imageText })
for (const [name, rule] of Object.entries(tableRules)) turndown.addRule(name, rule)

export const read = (html: string, url: string, form: Form): Page => {
  const cut = html.slice(0, maxLength)
  if (isTooMuch(cut)) return { title: "", text: Stripped.strippedText(cut) }
  const documentTree = Document.parse(cut)
  const title = titleOf(documentTree)
  Document.removeUnseen(documentTree)
  Document.makeLinksAbsolute(documentTree, url)
  const root = mainPart(documentTree) ?? documentTree.body
  return { title, text: form === "text" ? PlainText.plainText(root) : turndown.turndown(root).trim() }
}

const titleOf = (tree: Document.Tree): string =>
  (tree.querySelector("title")?.textContent ?? tree.querySelector("h1")?.textContent ?? "").replace(/\s+/g, " ").trim()

/**
 * Returns the main part of a page; null if no part is prominent, or if it contains too little of the page. Modifies the
 * tree.
 */
const mainPart = (tree: Document.Tree): Document.Element | null => {
  const text = PlainText.plainText(tree.body)
  const copy = Document.parse(`<!doctype html><html>${tree.documentElement.innerHTML}</html>`)
  const content = contentOf(copy)
  if (content === "") return null
  const { body } = Document.parse(content)
  const enough = Math.min(200, text.length / 4)
  return PlainText.plainText(body).length < enough ? null : body
}

const contentOf = (tree: Document.Tree): string => {
  const read = Result.try(() => new Readability(tree, { maxElemsToParse: maxTags }).parse())
  return Result.isSuccess(read) ? (read.success?.content ?? "") : ""
}

/** Matches elements that are often or always left open, and so do not count as depth. */
const flat = /^(area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr|p|li|dt|dd|tr|td|th|option|path|use)$/i

/** Computes the depth from the tags alone, before the tree is built. */
const isTooMuch = (html: string): boolean => {
  let count = 0
  let depth = 0
  for (const [, closing, name] of html.matchAll(/<(\/?)([a-z][\w-]{0,20})/gi)) {
    count++
    if (!flat.test(name)) depth = Math.max(0, depth + (closing === "" ? 1 : -1))
    if (count > maxTags || depth > maxDepth) return true
  }
  return false
}
