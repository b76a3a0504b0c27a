/** Reads doc comments from the source text, because the checker omits those that begin on the line of the previous token. */

export interface DocTag {
  readonly name: string
  readonly text: string
}

export interface DocComment {
  readonly description: string
  readonly tags: ReadonlyArray<DocTag>
}

export const none: DocComment = { description: "", tags: [] }

/** The tags that are recognised even inside a line; there, any other word, such as `@alice`, is text. */
const known: ReadonlySet<string> = new Set([
  "tier",
  "replay",
  "version",
  "forModel",
  "param",
  "returns",
  "return",
  "internal",
  "deprecated",
  "default",
  "defaultValue",
  "example",
  "throws",
  "see",
  "since",
  "remarks"
])

/** Reads the last doc comment between two tokens. */
export const fromTrivia = (trivia: string): DocComment => {
  const comments = [...trivia.matchAll(/\/\/[^\n]*|\/\*[\s\S]*?\*\//gu)].filter(
    ([comment]) => comment.startsWith("/**") && comment !== "/**/"
  )
  const last = comments.at(-1)
  if (last === undefined) return none
  const before = trivia.slice(0, last.index)
  const after = trivia.slice(last.index + last[0].length)
  // On one line, after a token and at the end of its line, the comment belongs to that token.
  const isOfPrevious = before !== "" && !before.includes("\n") && !last[0].includes("\n") && after.includes("\n")
  return isOfPrevious ? none : read(last[0])
}

const read = (comment: string): DocComment => {
  const lines = comment
    .slice(3, -2)
    .split(/\r?\n/u)
    .map((line, index) => (index === 0 ? line.trim() : line.replace(/^\s*\*? ?/u, "").trimEnd()))
  const parts: Array<{ name: string; lines: Array<string> }> = [{ name: "", lines: [] }]
  let isFenced = false
  for (const line of lines) {
    if (/^\s*```/u.test(line)) isFenced = !isFenced
    const starts = isFenced ? [] : tagsOf(line)
    let from = 0
    for (const { end, name, start } of starts) {
      parts.at(-1)?.lines.push(line.slice(from, start))
      parts.push({ name, lines: [] })
      from = end
    }
    parts.at(-1)?.lines.push(line.slice(from))
  }
  const [first, ...tags] = parts.map(({ lines: tagLines, name }) => ({ name, text: plain(tagLines.join("\n")) }))
  return { description: first?.text ?? "", tags }
}

const tagsOf = (line: string) =>
  [...line.matchAll(/(^|\s)@([A-Za-z]\w*)(?=\s|$)/gu)]
    .map((match) => ({
      name: match[2] ?? "",
      start: match.index + (match[1] ?? "").length,
      end: match.index + match[0].length
    }))
    .filter(({ name, start }) => isTag(line, name, start))

const isTag = (line: string, name: string, start: number): boolean => {
  const before = line.slice(0, start)
  if (before.trim() === "") return true
  return known.has(name) && before.split("`").length % 2 === 1 && before.lastIndexOf("{") <= before.lastIndexOf("}")
}

/** Replaces links by their labels, and other inline tags by their content. */
const plain = (text: string): string =>
  text
    .replaceAll(/\{@(\w+)\s+([^}]*)\}/gu, (_, tag: string, content: string) =>
      tag.startsWith("link") ? labelOf(content.trim()) : content.trim()
    )
    .trim()

/** Reads "target | label" and "target label"; without a label, the target. */
const labelOf = (link: string): string => {
  const [, target = link, label = ""] = /^([^\s|]+)\s*\|?\s*(.*)$/su.exec(link) ?? []
  return label === "" ? target : label
}

/** Reads "@param name text", "@param {Type} name - text" and "@param [name=1] text". */
export const paramOf = ({ text }: DocTag): { readonly path: string; readonly description: string } => {
  const rest = text.replace(/^\{[^}]*\}\s*/u, "")
  const [, optional, bare = "", after = ""] = /^(?:\[([^\]=\s]*)[^\]]*\]|(\S*))([\s\S]*)$/u.exec(rest) ?? []
  return {
    path: (optional ?? bare).replaceAll("[]", ""),
    description: after
      .replace(/^\s*-\s+/u, "")
      .replaceAll(/\s+/gu, " ")
      .trim()
  }
}
