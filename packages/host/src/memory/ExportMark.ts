/**
 * Marks the files of an export with a digest of the file and of its memory, in the front matter. If the file is changed
 * later, or another memory wrote it, the mark does not match. Pure. Why: adr/0033-files-of-an-export.md.
 */
import { Canonical } from "@bough/protocol"

/** The memory and the user of an export; `memory` is its random id. */
export interface ExportOrigin {
  readonly memory: string
  readonly user: string
}

const marked = /^(---\n(?:(?!---\n).*\n)*?)export: ([0-9a-f]{32})\n((?:(?!---\n).*\n)*---\n)/u

const withUnixLines = (file: string): string => file.replaceAll("\r\n", "\n")

const markOf = (plain: string, { memory, user }: ExportOrigin): string =>
  Canonical.digestOf({ memory, user, plain }).slice(7, 39)

/** Removes the mark of a file. */
export const withoutMark = (file: string): string => withUnixLines(file).replace(marked, "$1$3")

/** Adds the mark as the last line of the front matter of `plain`, which has no mark. */
export const add = (plain: string, origin: ExportOrigin): string =>
  plain.replace(/\n---\n/u, () => `\nexport: ${markOf(plain, origin)}\n---\n`)

/** True if this memory wrote the file for this user, and it was not changed since. */
export const matches = (file: string, origin: ExportOrigin): boolean => {
  const mark = marked.exec(withUnixLines(file))?.[2]
  return mark !== undefined && mark === markOf(withoutMark(file), origin)
}

/** True if the file has a mark of any memory. */
export const hasMark = (file: string): boolean => marked.test(withUnixLines(file))
