/** Reads text and attributes from the small pieces of HTML in the answers of search providers. */
import { decodeHTML, decodeHTMLAttribute } from "entities/decode"

/** Returns the text without tags, with character references decoded and white space collapsed. */
export const plain = (html: string): string =>
  decodeHTML(html.replace(/<[^>]*>/g, ""))
    .replace(/\s+/g, " ")
    .trim()

/** Returns the value of a double-quoted attribute; null if the tag has none of that name. */
export const attribute = (tag: string, name: string): string | null => {
  const found = new RegExp(`\\b${name}="([^"]*)"`).exec(tag)
  return found === null ? null : decodeHTMLAttribute(found[1])
}
