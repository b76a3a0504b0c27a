/**
 * Directories with equal content, of which only the first is made: a conformance kit makes dozens of equal worlds, and
 * five git programs would start for each repository.
 */
import * as fs from "node:fs"
import * as path from "node:path"

interface StoredTemplate {
  /** The path below the directory. */
  readonly name: string
  readonly mode: number
  /** null: a directory. */
  readonly bytes: Uint8Array | null
}

const templates = new Map<string, ReadonlyArray<StoredTemplate>>()

/**
 * Fills `directory`, which must not exist. The first call for a key in this process runs `make`, which creates it; later
 * calls write the same files. Times of files differ, and links are not supported.
 */
export const fill = (directory: string, key: string, make: () => void): void => {
  const known = templates.get(key)
  if (known !== undefined) return write(directory, known)
  make()
  templates.set(key, read(directory))
}

const read = (directory: string): ReadonlyArray<StoredTemplate> =>
  fs.readdirSync(directory, { recursive: true, encoding: "utf8" }).map((name) => {
    const file = path.join(directory, name)
    const stats = fs.lstatSync(file)
    return { name, mode: stats.mode & 0o777, bytes: stats.isDirectory() ? null : fs.readFileSync(file) }
  })

/** A directory is listed before its content. */
const write = (directory: string, stored: ReadonlyArray<StoredTemplate>): void => {
  fs.mkdirSync(directory)
  for (const { bytes, mode, name } of stored) {
    const file = path.join(directory, name)
    if (bytes === null) fs.mkdirSync(file, { mode })
    else fs.writeFileSync(file, bytes, { mode })
  }
}

/** Returns a key for a directory that depends on files and some words. */
export const keyOf = (
  files: Readonly<Record<string, string | Uint8Array>>,
  words: ReadonlyArray<string | undefined>
): string =>
  JSON.stringify([
    Object.entries(files).map(([name, content]) => [
      name,
      typeof content === "string" ? { text: content } : Buffer.from(content).toString("base64")
    ]),
    words
  ])
