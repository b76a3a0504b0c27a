/** Suggests passages of a file that are similar to a missing one. */

import { collapseSpace } from "./LooseMatch.ts"

const maxShownLines = 6
const maxShownCharacters = 600
const maxComparedCharacters = 200
const minLikeness = 0.4
/** The maximum number of characters of the text in which a suggestion is searched. */
const maxTextCharacters = 400_000

/** Returns the most similar passage of the text as the end of a sentence; "" if none is similar or the text is long. */
export const nearest = (text: string, wanted: string): string => {
  if (text.length + wanted.length > maxTextCharacters) return ""
  const lines = text.split("\n")
  const wantedLines = wanted.split("\n")
  const loose = looseMatch(lines, wantedLines)
  if (loose !== -1)
    return `; lines from ${loose + 1} differ in white space only:\n${excerpt(lines, loose, wantedLines)}`
  const first = wantedLines.findIndex((line) => line.trim() !== "")
  if (first === -1) return ""
  const likeness = lines.map(similarityTo(wantedLines[first]))
  const best = likeness.reduce((top, value, index) => (value > likeness[top] ? index : top), 0)
  if (likeness[best] < minLikeness) return ""
  const start = Math.max(0, best - first)
  return `; the nearest is from line ${start + 1} on:\n${excerpt(lines, start, wantedLines)}`
}

const looseMatch = (lines: ReadonlyArray<string>, wanted: ReadonlyArray<string>): number => {
  const collapsedWanted = wanted.map(collapseSpace)
  if (collapsedWanted.every((line) => line === "")) return -1
  // The search uses one text, because comparing at each line would take quadratic time.
  const squeezed = `\n${lines.map(collapseSpace).join("\n")}\n`
  const at = squeezed.indexOf(`\n${collapsedWanted.join("\n")}\n`)
  return at === -1 ? -1 : squeezed.slice(0, at).split("\n").length - 1
}

const excerpt = (lines: ReadonlyArray<string>, start: number, wanted: ReadonlyArray<string>): string =>
  lines
    .slice(start, start + Math.min(maxShownLines, wanted.length))
    .join("\n")
    .slice(0, maxShownCharacters)

/** Computes the Sørensen–Dice coefficient over pairs of characters, from 0 to 1. */
const similarityTo = (wanted: string): ((line: string) => number) => {
  const wantedPairs = pairs(wanted)
  return (line) => {
    if (line.trim() === "" || wantedPairs.size === 0) return 0
    const linePairs = pairs(line)
    let both = 0
    for (const pair of linePairs) if (wantedPairs.has(pair)) both++
    return (2 * both) / (linePairs.size + wantedPairs.size)
  }
}

const pairs = (line: string): ReadonlySet<string> => {
  const compared = collapseSpace(line).slice(0, maxComparedCharacters)
  const found = new Set<string>()
  for (let at = 0; at + 1 < compared.length; at++) found.add(compared.slice(at, at + 2))
  return found
}
