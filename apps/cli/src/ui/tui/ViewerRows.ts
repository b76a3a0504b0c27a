/**
 * The visible rows of a full-screen transcript: laid out from the top row down or from the end up, no further than the
 * screen reaches.
 */
import * as MarkdownStream from "@bough/tui/markdown/MarkdownStream"
import * as Escape from "@bough/tui/text/Escape"
import type { RowContext } from "@bough/tui/text/RowContext"
import * as Rows from "@bough/tui/text/Rows"
import { type SafeText, text } from "@bough/tui/text/SafeText"
import * as CallText from "../../format/CallText.ts"
import type { Block } from "./Block.ts"
import * as BlockRows from "./BlockRows.ts"
import type { Transcript } from "./Transcript.ts"
import * as ViewerSearch from "./ViewerSearch.ts"

/** A position in the transcript: a row of a block. */
export interface RowPosition {
  readonly block: number
  readonly row: number
}

export interface ViewedBlocks {
  readonly blocks: ReadonlyArray<Block>
  /** Unfinished work, which is shown below the blocks. */
  readonly live: Pick<Transcript, "reply" | "calls" | "reader">
  readonly open: ReadonlySet<Block>
  /** The block that the keys fold and unfold; null: there is none. */
  readonly selected: number | null
  /** The first visible row; null: the view follows the end. */
  readonly top: RowPosition | null
  /** The text that the user searches for; null: none. */
  readonly search: ViewerSearch.Search | null
}

export interface ViewerSize extends RowContext {
  /** The height of the whole screen in rows. */
  readonly rows: number
}

/** The rows that are not transcript: the title, the keys, and one blank row. */
export const frameRows = 3
const margin = 2

export const isFoldable = (block: Block): boolean =>
  block._tag === "Call" || block._tag === "Command" || block._tag === "Reasoning"

/** The next foldable block from a position on; null: there is none. */
export const nextFoldable = (blocks: ReadonlyArray<Block>, from: number, by: 1 | -1): number | null => {
  for (let at = from + by; at >= 0 && at < blocks.length; at += by) if (isFoldable(blocks[at])) return at
  return null
}

const heightOf = ({ rows }: ViewerSize): number => Math.max(1, rows - frameRows)

/** The rows of blocks from the last layout, cached because a key and the next frame need the same rows. */
const laidOut = new WeakMap<Block, Map<string, ReadonlyArray<SafeText>>>()

const rowsOf = (viewed: ViewedBlocks, at: number, { columns, theme }: ViewerSize): ReadonlyArray<SafeText> => {
  const block = viewed.blocks[at]
  const isOpen = viewed.open.has(block)
  const isSelected = viewed.selected === at
  const key = `${columns} ${isOpen} ${isSelected} ${theme.accent(text`x`)}`
  const known = laidOut.get(block)
  const found = known?.get(key)
  if (found !== undefined) return found
  const before = viewed.blocks[at - 1] ?? null
  const blockContext = { columns: columns - margin, theme, transcriptKey: "Enter" }
  const blockRows = isOpen
    ? BlockRows.unfoldedRows(block, before, blockContext)
    : BlockRows.rows(block, before, blockContext)
  const sign = isOpen ? text`▾` : text`▸`
  const first = blockRows.findIndex((row) => row !== "")
  const rows = blockRows.map((row, index) => {
    if (!isFoldable(block) || index !== first) return text`  ${row}`
    return isSelected ? text`${theme.inverse(sign)} ${row}` : text`${theme.dim(sign)} ${row}`
  })
  laidOut.set(block, new Map([...(known?.size === 1 ? known : []), [key, rows]]))
  return rows
}

/** The rows of a block, with the matches of the search marked. */
const markedRows = (viewed: ViewedBlocks, at: number, size: ViewerSize): ReadonlyArray<SafeText> => {
  const rows = rowsOf(viewed, at, size)
  const { search } = viewed
  if (search === null) return rows
  const current = search.at?.block === at ? search.at.index : null
  return ViewerSearch.mark(rows, search.wanted, { ...size, current })
}

const liveRows = ({ live }: ViewedBlocks, { columns, theme }: ViewerSize): ReadonlyArray<SafeText> => {
  const blockContext = { columns: columns - margin, theme }
  const answer = MarkdownStream.restRows(live.reply.answer, blockContext)
  const calls = live.calls.flatMap(({ arguments: callArguments, progress, tool }) => [
    Rows.cut(
      text`${theme.accent(text`→`)} ${Escape.line(CallText.callLine(tool, callArguments, live.reader.roles.get(tool) ?? null))}`,
      blockContext.columns
    ),
    ...progress.map((line) => theme.dim(Rows.cut(text`  ${Escape.line(line)}`, blockContext.columns)))
  ])
  const all = [...answer, ...calls].map((row) => text`  ${row}`)
  return all.length === 0 ? [] : [text``, ...all]
}

/** The visible rows, at most as many as fit. */
export const visibleRows = (viewed: ViewedBlocks, size: ViewerSize): ReadonlyArray<SafeText> => {
  const height = heightOf(size)
  const visible: Array<SafeText> = []
  if (viewed.top !== null) {
    const { block, row } = viewed.top
    for (let at = block; at < viewed.blocks.length && visible.length < height; at++) {
      visible.push(...markedRows(viewed, at, size).slice(at === block ? row : 0))
    }
    if (visible.length < height) visible.push(...liveRows(viewed, size))
    return visible.slice(0, height)
  }
  const parts = [liveRows(viewed, size)]
  let count = parts[0].length
  for (let at = viewed.blocks.length - 1; at >= 0 && count < height; at--) {
    const rows = markedRows(viewed, at, size)
    parts.push(rows)
    count += rows.length
  }
  return parts.toReversed().flat().slice(-height)
}

/** The position of the first visible row. */
const topOf = (viewed: ViewedBlocks, size: ViewerSize): RowPosition => {
  if (viewed.top !== null) return viewed.top
  const height = heightOf(size)
  let remainingRows = height - liveRows(viewed, size).length
  for (let at = viewed.blocks.length - 1; at >= 0; at--) {
    const { length } = rowsOf(viewed, at, size)
    if (length >= remainingRows) return { block: at, row: length - Math.max(0, remainingRows) }
    remainingRows -= length
  }
  return { block: 0, row: 0 }
}

/** Scrolls by rows; at the end the view follows new rows. */
export const scroll = <V extends ViewedBlocks>(viewed: V, by: number, size: ViewerSize): V => {
  let { block, row } = topOf(viewed, size)
  row += by
  while (row < 0 && block > 0) {
    block -= 1
    row += rowsOf(viewed, block, size).length
  }
  while (block < viewed.blocks.length && row >= rowsOf(viewed, block, size).length) {
    row -= rowsOf(viewed, block, size).length
    block += 1
  }
  const top = block >= viewed.blocks.length ? null : { block, row: Math.max(0, row) }
  const isEnd = top === null || visibleRows({ ...viewed, top }, size).length < heightOf(size)
  return { ...viewed, top: isEnd && by > 0 ? null : top }
}

/** Scrolls so that the selected block is visible. */
export const scrollToSelected = <V extends ViewedBlocks>(viewed: V, size: ViewerSize): V => {
  if (viewed.selected === null) return viewed
  const top = topOf(viewed, size)
  if (viewed.selected < top.block || (viewed.selected === top.block && top.row > 0)) {
    return { ...viewed, top: { block: viewed.selected, row: 0 } }
  }
  let height = -top.row
  for (let at = top.block; at < viewed.selected; at++) height += rowsOf(viewed, at, size).length
  const needed = Math.min(heightOf(size), rowsOf(viewed, viewed.selected, size).length)
  const hiddenRows = height + needed - heightOf(size)
  return hiddenRows <= 0 ? viewed : scroll(viewed, hiddenRows, size)
}

/**
 * Goes to the next match, up or down, and unfolds its block; after the last one the search continues at the other end.
 * At the end of the transcript a new search goes up, else down from the first visible row.
 */
export const find = <V extends ViewedBlocks>(
  viewed: V,
  { by, search }: { readonly search: ViewerSearch.Search; readonly by: 1 | -1 | null },
  size: ViewerSize
): V => {
  const { blocks } = viewed
  const { at, wanted } = search
  const direction = by ?? (viewed.top === null ? -1 : 1)
  const start = at ?? { block: viewed.top?.block ?? blocks.length - 1, index: direction === 1 ? -1 : Infinity }
  for (let step = 0; step <= blocks.length; step++) {
    const block = (start.block + direction * step + blocks.length * 2) % Math.max(1, blocks.length)
    const open = unfoldBlock(viewed, block)
    const matches = ViewerSearch.matchesIn(rowsOf(open, block, size), wanted, size.columns)
    const index = nextIn(matches.length, step === 0 ? start.index : null, direction)
    if (index === null) continue
    const found = { ...open, search: { wanted, at: { block, index } } }
    return scrollToRow(found, { block, row: matches[index][0].row }, size)
  }
  return { ...viewed, search: { wanted, at: null } }
}

/** Returns the number of the next match among `count`; null: there is none. `after` null: the first of that direction. */
const nextIn = (count: number, after: number | null, direction: 1 | -1): number | null => {
  const index =
    after === null ? (direction === 1 ? 0 : count - 1) : direction === 1 ? after + 1 : Math.min(count, after) - 1
  return index >= 0 && index < count ? index : null
}

const unfoldBlock = <V extends ViewedBlocks>(viewed: V, at: number): V => {
  const block = viewed.blocks[at]
  if (block === undefined || !isFoldable(block)) return viewed
  return { ...viewed, selected: at, open: new Set([...viewed.open, block]) }
}

/** Scrolls so that a row is visible, if possible with the rows above it. */
const scrollToRow = <V extends ViewedBlocks>(viewed: V, at: RowPosition, size: ViewerSize): V => {
  const height = heightOf(size)
  const above = scroll({ ...viewed, top: at }, -Math.floor(height / 3), size)
  const missing = height - visibleRows(above, size).length
  return missing <= 0 ? above : scroll(above, -missing, size)
}
