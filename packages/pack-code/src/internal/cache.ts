/**
 * Caches parsed files by the digest of their bytes, so that only a session that has read a file finds its symbols here.
 * The oldest files are evicted.
 */
import type { FileSymbols } from "./Symbols.ts"

/** The maximum number of symbols and names of all files together. */
const maxEntries = 500_000

const parsed = new Map<string, FileSymbols>()
let entries = 0

const sizeOf = ({ imports, symbols, words }: FileSymbols): number =>
  symbols.length * 5 + words.size + imports.length + 1

export const get = (key: string): FileSymbols | undefined => parsed.get(key)

export const put = (key: string, file: FileSymbols): void => {
  if (parsed.has(key)) return
  parsed.set(key, file)
  entries += sizeOf(file)
  for (const [oldest, entry] of parsed) {
    if (entries <= maxEntries) return
    parsed.delete(oldest)
    entries -= sizeOf(entry)
  }
}
