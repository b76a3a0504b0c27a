/**
 * Ranks files and symbols by who refers to them: a file counts as much as the files that write the names it declares, as pages
 * count by their links.
 */
import type { ReadFile } from "./workspaceSymbols.ts"
import type { CodeSymbol } from "./Symbols.ts"

export interface RankedSymbol extends CodeSymbol {
  /** How often other files write its name. */
  readonly references: number
}

export interface RankedFile {
  readonly path: string
  readonly rank: number
  /** The most referred to first. */
  readonly symbols: ReadonlyArray<RankedSymbol>
}

const damping = 0.85
const rounds = 20
/** A name that more files declare than this says nothing about which one is meant. */
const maxDeclarers = 8
/** Shorter names are mostly variables of loops. */
const minNameLength = 3

interface Link {
  readonly from: number
  readonly to: number
  readonly weight: number
}

export const rank = (files: ReadonlyArray<ReadFile>): ReadonlyArray<RankedFile> => {
  const declarers = new Map<string, Set<number>>()
  for (const [index, { file }] of files.entries()) {
    for (const { name } of file.symbols) {
      if (name.length >= minNameLength) declarers.set(name, (declarers.get(name) ?? new Set<number>()).add(index))
    }
  }
  const links: Array<Link> = []
  const references = files.map(() => new Map<string, number>())
  for (const [from, { file }] of files.entries()) {
    for (const [name, count] of file.words) {
      const declaring = declarers.get(name)
      if (declaring === undefined || declaring.size > maxDeclarers || declaring.has(from)) continue
      for (const to of declaring) {
        // The hundredth use says less than the first.
        links.push({ from, to, weight: Math.sqrt(count) / declaring.size })
        const counts = references[to]
        counts?.set(name, (counts.get(name) ?? 0) + count)
      }
    }
  }
  const ranks = ranksOf(files.length, links)
  return files
    .map(({ file, path }, index) => ({
      path,
      rank: ranks[index] ?? 0,
      symbols: file.symbols
        .map((symbol) => ({ ...symbol, references: references[index]?.get(symbol.name) ?? 0 }))
        .toSorted((left, right) => right.references - left.references || left.line - right.line)
    }))
    .toSorted((left, right) => right.rank - left.rank || (left.path < right.path ? -1 : 1))
}

const ranksOf = (count: number, links: ReadonlyArray<Link>): ReadonlyArray<number> => {
  const outgoing = Array.from({ length: count }, () => 0)
  for (const { from, weight } of links) outgoing[from] = (outgoing[from] ?? 0) + weight
  let ranks = outgoing.map(() => 1 / count)
  for (let round = 0; round < rounds; round++) {
    // What files without links hold is shared among all.
    const idle = ranks.reduce((sum, value, index) => (outgoing[index] === 0 ? sum + value : sum), 0)
    const next = ranks.map(() => (1 - damping + damping * idle) / count)
    for (const { from, to, weight } of links) {
      next[to] = (next[to] ?? 0) + (damping * (ranks[from] ?? 0) * weight) / (outgoing[from] ?? 1)
    }
    ranks = next
  }
  return ranks
}
