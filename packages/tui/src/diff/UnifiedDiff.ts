/** Parses a unified diff into numbered lines, and compares each replaced line word by word. Pure. */
import { diffWordsWithSpace } from "diff"

/** The start and end of emphasised text, in UTF-16 units. */
export type Range = readonly [start: number, end: number]

export interface DiffLine {
  readonly _tag: "Same" | "Removed" | "Added"
  /** The line's number in the new file; for a removed line, in the old file. */
  readonly number: number
  readonly text: string
  /** The words that differ from the line that it replaces or that replaces it; empty: the line has no counterpart. */
  readonly changed: ReadonlyArray<Range>
}

/** `Gap`: unchanged lines between two hunks, which the diff omits. `Other`: a line outside of hunks, such as a file name. */
export type Line = DiffLine | { readonly _tag: "Gap" } | { readonly _tag: "Other"; readonly text: string }

const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/u

/** True if a text has the form of a unified diff. */
export const isDiff = (text: string): boolean => /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/mu.test(text)

/** A line of the text itself; a line that begins a hunk is kept unchanged. */
export type RawLine = Exclude<Line, { readonly _tag: "Gap" }> | { readonly _tag: "Head"; readonly text: string }

export const read = (text: string): ReadonlyArray<Line> =>
  readRaw(text.replace(/\n$/u, "")).flatMap((line, at, lines): ReadonlyArray<Line> => {
    if (line._tag !== "Head") return [line]
    return lines.slice(0, at).some(({ _tag }) => _tag === "Head") ? [{ _tag: "Gap" }] : []
  })

/** Parses the diff into exactly one line for each of its lines. */
export const readRaw = (text: string): ReadonlyArray<RawLine> => {
  const lines: Array<RawLine> = []
  let before = 0
  let after = 0
  let isInside = false
  for (const line of text.split("\n")) {
    const head = hunk.exec(line)
    if (head !== null) {
      lines.push({ _tag: "Head", text: line })
      before = Number(head[1])
      after = Number(head[2])
      isInside = true
      continue
    }
    const rest = line.slice(1)
    if (!isInside) lines.push({ _tag: "Other", text: line })
    else if (line.startsWith("-")) lines.push({ _tag: "Removed", number: before++, text: rest, changed: [] })
    else if (line.startsWith("+")) lines.push({ _tag: "Added", number: after++, text: rest, changed: [] })
    else if (line.startsWith(" ") || line === "") {
      lines.push({ _tag: "Same", number: after++, text: rest, changed: [] })
      before += 1
    } else lines.push({ _tag: "Other", text: line })
  }
  return withWords(lines)
}

/** Compares each removed line with the added line at the same position of the run that replaces it. */
const withWords = (lines: ReadonlyArray<RawLine>): ReadonlyArray<RawLine> => {
  const changedLines = [...lines]
  for (let at = 0; at < changedLines.length;) {
    const removed = runFrom(changedLines, at, "Removed")
    const added = runFrom(changedLines, at + removed, "Added")
    for (let offset = 0; offset < Math.min(removed, added); offset++) {
      const [from, to] = [at + offset, at + removed + offset]
      const [old, new_] = [changedLines[from], changedLines[to]]
      if (old._tag !== "Removed" || new_._tag !== "Added") continue
      const [gone, come] = wordsBetween(old.text, new_.text)
      changedLines[from] = { ...old, changed: gone }
      changedLines[to] = { ...new_, changed: come }
    }
    at += Math.max(1, removed + added)
  }
  return changedLines
}

const runFrom = (lines: ReadonlyArray<RawLine>, from: number, tag: RawLine["_tag"]): number => {
  let length = 0
  while (lines[from + length]?._tag === tag) length += 1
  return length
}

const maxComparedLength = 500
/** The minimum shared part of two related lines. In less similar lines, the marks would cover nearly all of both. */
const minShared = 0.5

const wordsBetween = (before: string, after: string): readonly [ReadonlyArray<Range>, ReadonlyArray<Range>] => {
  if (Math.max(before.length, after.length) > maxComparedLength) return [[], []]
  const removedRanges: Array<Range> = []
  const addedRanges: Array<Range> = []
  let shared = 0
  let old = 0
  let new_ = 0
  for (const { added, removed, value } of diffWordsWithSpace(before, after)) {
    if (removed) removedRanges.push([old, old + value.length])
    if (added) addedRanges.push([new_, new_ + value.length])
    if (!added && !removed) shared += value.trim().length
    if (!added) old += value.length
    if (!removed) new_ += value.length
  }
  const longest = Math.max(before.trim().length, after.trim().length)
  return shared < minShared * longest ? [[], []] : [joinRanges(removedRanges, before), joinRanges(addedRanges, after)]
}

/** Joins ranges with only white space between them. */
const joinRanges = (ranges: ReadonlyArray<Range>, text: string): ReadonlyArray<Range> => {
  const joinedRanges: Array<Range> = []
  for (const [start, end] of ranges) {
    const last = joinedRanges.at(-1)
    if (last === undefined || text.slice(last[1], start).trim() !== "") joinedRanges.push([start, end])
    else joinedRanges[joinedRanges.length - 1] = [last[0], end]
  }
  return joinedRanges
}
