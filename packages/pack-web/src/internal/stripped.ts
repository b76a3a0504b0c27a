/**
 * The words of a page that is too large or too deep for a tree: one pass removes tags, comments, scripts and styles.
 */
import { decodeHTML } from "entities/decode"

const dropped = /^<(script|style|noscript|template)\b/i
const block = /^<\/?(p|div|br|li|tr|h[1-6]|ul|ol|table|section|article|pre|blockquote)\b/i

export const strippedText = (html: string): string => {
  const parts: Array<string> = []
  let at = 0
  while (at < html.length) {
    const open = html.indexOf("<", at)
    parts.push(html.slice(at, open === -1 ? html.length : open))
    if (open === -1) break
    const head = html.slice(open, open + 16)
    const element = dropped.exec(head)?.[1]
    const end = head.startsWith("<!--") ? "-->" : element === undefined ? ">" : `</${element}`
    if (block.test(head)) parts.push("\n")
    at = positionAfter(html, end, open + 1)
    if (element !== undefined) at = positionAfter(html, ">", at)
  }
  return decodeHTML(parts.join(""))
    .replace(/[ \t\r\f\u00a0]+/g, " ")
    .replace(/ ?\n[ \n]*/g, "\n")
    .trim()
}

/** Returns the position after the end of the element; an unclosed element extends to the end of the page. */
const positionAfter = (html: string, end: string, from: number): number => {
  const found = html.indexOf(end, from)
  return found === -1 ? html.length : found + end.length
}
