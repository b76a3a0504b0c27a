/** A page as Markdown: its main part where one can be told, else all that is seen. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Document from "./document.ts"
import * as PlainText from "./plainText.ts"
import * as Stripped from "./stripped.ts"
import { tableRules } from "./tables.ts"

export interface Page {
  readonly title: string
  readonly text: string
}

export type Form = "markdown" | "text"

/** More is cut off: what is read is read in one piece, while nothing else runs. */
const maxLength = 1024 ** 2
/** The extractors recurse, and take longer than a page is worth. */
const maxTags = 20_000
const maxDepth = 300

interface Reader {
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

/** Both loaded when the first page comes. */
// The declarations of both need the browser's: this is what is used of them.
const reader = Effect.promise(() => import("@mozilla/readability") as unknown as Promise<Reader>)
const writer = Effect.cached(
  Effect.map(
    Effect.promise(
      () => import("turndown") as unknown as Promise<{ readonly default: new (options: unknown) => Writer }>
    ),
    ({ default: Turndown }) => {
      const made = new Turndown({ headingStyle: "atx", codeBlockStyle: "fenced", bulletListMarker: "-", hr: "---" })
      made.remove(["script", "style", "noscript", "iframe"])
      made.addRule("image", { filter: "img", replacement: imageText })
      for (const [name, rule] of Object.entries(tableRules)) made.addRule(name, rule)
      return made
    }
  )
).pipe(Effect.runSync)

/** An image is named, not linked: whoever shows the text must not be made to fetch it. */
const imageText = (_content: string, image: Document.Element): string => {
  const name = (image.getAttribute("alt") ?? "").replace(/\s+/g, " ").trim()
  return name === "" ? "" : `[image: ${name.replace(/[[\]]/g, "")}]`
}

export const of = Effect.fnUntraced(function* (html: string, url: string, form: Form): Effect.fn.Return<Page> {
  const cut = html.slice(0, maxLength)
  if (isTooMuch(cut)) return { title: "", text: Stripped.of(cut) }
  const whole = yield* Document.parse(cut)
  const title = titleOf(whole)
  Document.removeUnseen(whole)
  Document.makeLinksAbsolute(whole, url)
  const main = yield* mainPart(whole)
  const root = main ?? whole.body
  if (form === "text") return { title, text: PlainText.of(root) }
  const turndown = yield* writer
  return { title, text: turndown.turndown(root).trim() }
})

const titleOf = (tree: Document.Tree): string =>
  (tree.querySelector("title")?.textContent ?? tree.querySelector("h1")?.textContent ?? "").replace(/\s+/g, " ").trim()

/** Null: no part stands out, or too little of the page would be left. It changes the tree that it is given. */
const mainPart = Effect.fnUntraced(function* (whole: Document.Tree): Effect.fn.Return<Document.Element | null> {
  const { Readability } = yield* reader
  const text = PlainText.of(whole.body)
  const copy = yield* Document.parse(`<!doctype html><html>${whole.documentElement.innerHTML}</html>`)
  const read = Result.try(() => new Readability(copy, { maxElemsToParse: maxTags }).parse())
  const content = Result.isSuccess(read) ? (read.success?.content ?? "") : ""
  if (content === "") return null
  const { body } = yield* Document.parse(content)
  const enough = Math.min(200, text.length / 4)
  return PlainText.of(body).length < enough ? null : body
})

/** Elements that are often not closed, or never: they make no depth. */
const flat = /^(area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr|p|li|dt|dd|tr|td|th|option|path|use)$/i

/** Told from the tags alone, before there is a tree. */
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
