/** Sets or removes one value of a JSONC text; comments and the layout of the rest stay. Pure. */
import { applyEdits, type Edit, format, modify } from "jsonc-parser"

/** Finds the indentation and the line ends of the text. */
const layoutOf = (text: string) => {
  const [, indent = "  "] = /^( +|\t)\S/mu.exec(text) ?? []
  return { insertSpaces: indent !== "\t", tabSize: indent.length, eol: lineEndOf(text) }
}

const lineEndOf = (text: string): "\r\n" | "\n" => (text.includes("\r\n") ? "\r\n" : "\n")

/** Sets the value, or removes it if `value` is undefined. Throws if the path leads through a value that is not an object. */
export const put = (text: string, path: ReadonlyArray<string>, value: unknown): string => {
  const edits = modify(text, [...path], value, {}).flatMap((edit) => afterComment(text, edit))
  const changed = applyEdits(text, edits)
  // Formatting applies to entire lines, including the rest of a new value's line.
  const first = Math.min(...edits.map(({ offset }) => offset), changed.length)
  const from = changed.lastIndexOf("\n", first - 1) + 1
  const last = Math.max(...edits.map(({ offset }) => offset), 0)
  const added = edits.reduce((sum, { content }) => sum + content.length, last)
  // The range excludes the line end, because the formatter would drop the "\r" of "\r\n".
  const rest = changed.slice(added).search(/\r?\n/u)
  const range = { offset: from, length: (rest === -1 ? changed.length : added + rest) - from }
  const laidOut = applyEdits(changed, format(changed, range, layoutOf(text)))
  return laidOut.endsWith("\n") ? laidOut : `${laidOut}${lineEndOf(text)}`
}

/**
 * Puts a new property after the comment at the end of the previous line, because the comment belongs to the property of
 * that line.
 */
const afterComment = (text: string, edit: Edit): ReadonlyArray<Edit> => {
  if (edit.length > 0 || !edit.content.startsWith(",")) return [edit]
  const comment = /^([ \t]*,)?[ \t]*(?:\/\/[^\n\r]*|\/\*[^\n\r]*\*\/)[ \t]*(?=\r?\n)/u.exec(text.slice(edit.offset))
  if (comment === null) return [edit]
  const [passed, comma] = comment
  const added = {
    offset: edit.offset + passed.length,
    length: 0,
    content: `${lineEndOf(text)}${edit.content.slice(1)}`
  }
  return comma === undefined ? [{ offset: edit.offset, length: 0, content: "," }, added] : [added]
}
