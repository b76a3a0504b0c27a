/**
 * Splits growing Markdown into blocks, of which only the last can still change, so only that one is parsed again with
 * each word. The joined blocks equal the text. Pure.
 */

const fence = /^ {0,3}(`{3,}|~{3,})/u
const listItem = /^ {0,3}(?:[-*+]|\d{1,9}[.)])\s/u
const definition = /^ {0,3}\[[^\]]+\]:/mu

export const split = (text: string): ReadonlyArray<string> => {
  // The definition of a link or a footnote affects the whole text.
  if (definition.test(text)) return [text]
  const lines = text.split(/(?<=\n)/u)
  const blocks: Array<string> = []
  let block = ""
  let first = ""
  let open: string | null = null
  let afterBlank = false
  for (const line of lines) {
    const isBlank = line.trim() === ""
    if (open === null && afterBlank && !isBlank && startsBlock(line, first)) {
      blocks.push(block)
      block = ""
    }
    if (block.trim() === "" && !isBlank) first = line
    block += line
    open = fenceAfter(line, open)
    afterBlank = isBlank
  }
  return block === "" ? blocks : [...blocks, block]
}

/** Returns true if a line starts a block. Indented lines, and items after items, belong to the previous block. */
const startsBlock = (line: string, first: string): boolean =>
  !/^\s/u.test(line) && !(listItem.test(line) && listItem.test(first))

/** Returns the fence that is open after the line; null: none is open. */
const fenceAfter = (line: string, open: string | null): string | null => {
  const mark = fence.exec(line)?.[1]
  if (open === null) return mark ?? null
  const closes = mark !== undefined && mark[0] === open[0] && mark.length >= open.length && line.trim() === mark
  return closes ? null : open
}
