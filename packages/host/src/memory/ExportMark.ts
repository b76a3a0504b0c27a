/**
 * By what an export knows a file again that it has written: a digest, in the front matter, of the file and of the memory that
 * it came from. A file that somebody has changed since, or that came from elsewhere, does not bear it out. Pure. Why: adr/0033-files-of-an-export.md.
 */
import { Canonical } from "@bough/protocol"

/** `memory`: the random id of the whole memory. */
export interface ExportOrigin {
  readonly memory: string
  readonly user: string
}

const marked = /^(---\n(?:(?!---\n).*\n)*?)export: ([0-9a-f]{32})\n((?:(?!---\n).*\n)*---\n)/u

const withUnixLines = (file: string): string => file.replaceAll("\r\n", "\n")

const markOf = (plain: string, { memory, user }: ExportOrigin): string =>
  Canonical.digestOf({ memory, user, plain }).slice(7, 39)

/** The file as it is without a mark. */
export const without = (file: string): string => withUnixLines(file).replace(marked, "$1$3")

/** `plain`: a file that begins with front matter and has no mark; it is the last line there. */
export const add = (plain: string, origin: ExportOrigin): string =>
  plain.replace(/\n---\n/u, () => `\nexport: ${markOf(plain, origin)}\n---\n`)

/** Whether this memory has written the file, of this user's notes, and nobody has changed it since. */
export const matches = (file: string, origin: ExportOrigin): boolean => {
  const mark = marked.exec(withUnixLines(file))?.[2]
  return mark !== undefined && mark === markOf(without(file), origin)
}

/** Whether some memory says that it has written it. */
export const has = (file: string): boolean => marked.test(withUnixLines(file))
