/**
 * Ranks files and symbols by their references: as in the ranking of web pages, a file inherits weight from files that
 * import it and use its names. Files without imports and exports refer to any file that declares a name that they use.
 */
import { importGraph, type WorkspacePackage } from "./importGraph.ts"
import type { CodeSymbol } from "./Symbols.ts"
import type { ReadFile } from "./workspaceSymbols.ts"

export interface RankedSymbol extends CodeSymbol {
  /** The number of times that other files write its name. */
  readonly references: number
}

export interface RankedFile {
  readonly path: string
  readonly rank: number
  /** The symbols, most referenced first. */
  readonly symbols: ReadonlyArray<RankedSymbol>
}

const damping = 0.85
const rounds = 20
/**
 * The maximum number of files that declare a name. A name in more files is too ambiguous to be a reference, unless one
 * of them is imported.
 */
const maxDeclarers = 4
/** The weight of a name that is used without an import, which is usually a coincidence. */
const byNameWeight = 0.2
/** The weight of tests, which would otherwise outnumber the code that they use. */
const testWeight = 0.2
const isTest = (path: string): boolean =>
  /(?:^|\/)(?:tests?|__tests__|spec|testing|fixtures|typetest|bench|examples?)\/|[._](?:test|spec)\.\w+$|(?:^|\/)test_[^/]*$|_test\.\w+$/u.test(
    path
  )
/** The minimum length of a name: shorter ones are mostly loop variables. */
const minNameLength = 3

const weightOf = (path: string): number => (isTest(path) ? testWeight : 1)

interface Link {
  readonly from: number
  readonly to: number
  readonly weight: number
}

export const rank = (
  files: ReadonlyArray<ReadFile>,
  packages: ReadonlyArray<WorkspacePackage> = []
): ReadonlyArray<RankedFile> => {
  const imported = importGraph(files, packages)
  const declarers = new Map<string, Set<number>>()
  for (const [index, { file }] of files.entries()) {
    const exported = new Set(file.exported)
    for (const { container, name } of file.symbols) {
      // Nested names are common words: only top-level names identify a file.
      if (exported.size > 0 && (container !== null || !exported.has(name))) continue
      if (name.length >= minNameLength) declarers.set(name, (declarers.get(name) ?? new Set<number>()).add(index))
    }
  }
  const links: Array<Link> = []
  const references = files.map(() => new Map<string, number>())
  for (const [from, { file, path }] of files.entries()) {
    const reached = imported[from] ?? new Set<number>()
    // A module refers only to its imports.
    const isModule = reached.size > 0 || file.imports.length > 0 || file.exported.length > 0
    const fromWeight = weightOf(path)
    for (const [name, count] of file.words) {
      const declaring = declarers.get(name)
      if (declaring === undefined || declaring.has(from)) continue
      const targets = isModule ? [...declaring].filter((to) => reached.has(to)) : [...declaring]
      if (targets.length > maxDeclarers) continue
      for (const to of targets) {
        // Weighs uses by their logarithm.
        const trust = fromWeight * weightOf(files[to]?.path ?? "") * (isModule ? 1 : byNameWeight)
        const weight = (Math.sqrt(count) / targets.length) * trust
        links.push({ from, to, weight })
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
    // The rank of files without links is shared among all files.
    const idle = ranks.reduce((sum, value, index) => (outgoing[index] === 0 ? sum + value : sum), 0)
    const next = ranks.map(() => (1 - damping + damping * idle) / count)
    for (const { from, to, weight } of links) {
      next[to] = (next[to] ?? 0) + (damping * (ranks[from] ?? 0) * weight) / (outgoing[from] ?? 1)
    }
    ranks = next
  }
  return ranks
}
