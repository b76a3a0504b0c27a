/** Small pieces of HTML, as search providers answer them, as text. */

const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " }

/** Without tags, with character references read and white space drawn together. */
export const plain = (html: string): string =>
  references(html.replace(/<[^>]*>/g, ""))
    .replace(/\s+/g, " ")
    .trim()

/** The value of an attribute that stands in double quotes; null: it is not there. */
export const attribute = (tag: string, name: string): string | null => {
  const found = new RegExp(`\\b${name}="([^"]*)"`).exec(tag)
  return found === null ? null : references(found[1])
}

const references = (text: string): string =>
  text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]+);/gi, (whole: string, name: string) => {
    if (!name.startsWith("#")) return named[name.toLowerCase()] ?? whole
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
