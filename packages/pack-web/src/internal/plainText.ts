/**
 * The text of a tree, one line per block. It is not recursive, because pages may be nested deeper than the stack
 * allows.
 */
import type { Element } from "./document.ts"

const blocks = new Set(
  "address article aside blockquote br dd div dl dt fieldset figcaption figure footer h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tr ul title desc text".split(
    " "
  )
)
const cells = new Set(["td", "th"])
const skipped = new Set(["script", "style", "noscript", "template", "foreignobject"])

const elementNode = 1
const textNode = 3

export const plainText = (root: Element): string => {
  const parts: Array<string> = []
  const waiting: Array<Element | string> = [root]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next === "string") parts.push(next)
    else if (next?.nodeType === textNode) parts.push((next.textContent ?? "").replace(/\s+/g, " "))
    else if (next?.nodeType === elementNode && !skipped.has(next.localName.toLowerCase())) {
      const around = blocks.has(next.localName) ? "\n" : cells.has(next.localName) ? "\t" : ""
      parts.push(around === "\n" ? "\n" : "")
      waiting.push(around)
      // Copied, because each access rebuilds the list.
      const inside = [...next.childNodes]
      while (inside.length > 0) waiting.push(inside.pop() ?? "")
    }
  }
  return tidy(parts.join(""))
}

const tidy = (text: string): string =>
  text
    .replace(/[ \t]{2,}/g, " ")
    .replace(/[ \t]?\n[ \t]?/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim()
