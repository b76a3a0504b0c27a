/**
 * Finds and reads a folder with a SKILL.md. The digest of a project's folder covers all of its files, so that trust ends
 * when one changes. Links inside are never followed; a link to the folder may not lead out of the project.
 */
import * as SmallFile from "@bough/disk/SmallFile"
import { Canonical } from "@bough/protocol"
import * as Result from "effect/Result"
import {
  closeSync,
  constants,
  type Dirent,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync
} from "node:fs"
import { join } from "node:path"

export const fileName = "SKILL.md"

/**
 * Folders of skills below a directory of a project. If several have a skill of the same name, the first one is used.
 */
export const projectFolders = [".bough", ".agents", ".claude"].map((name) => join(name, "skills"))

export interface SkillFolder {
  readonly kind: "skill"
  /** The real path of the folder. */
  readonly path: string
  /** The path of its SKILL.md in the user's notation. */
  readonly name: string
  /** The text of its SKILL.md. */
  readonly text: string
  /** The digest of all files in a project's folder, or of SKILL.md alone in the user's own folder. */
  readonly digest: string
  /** Digests by path, `link:…` for links; null in the user's own folder, whose files are not checked. */
  readonly files: ReadonlyMap<string, string> | null
}

const maxFolders = 100
const maxFiles = 256
const maxBytes = 8 * 1024 * 1024

/** Lists the folders below `folder` that contain a SKILL.md. */
export const skillNames = (folder: string): ReadonlyArray<string> =>
  entriesOf(folder)
    .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
    .map(({ name }) => name)
    .filter((name) => existsSync(join(folder, name, fileName)))
    .toSorted()
    .slice(0, maxFolders)

const entriesOf = (folder: string): ReadonlyArray<Dirent> =>
  Result.getOrElse(
    Result.try(() => readdirSync(folder, { withFileTypes: true })),
    (error) => {
      const { code } = error as NodeJS.ErrnoException
      if (code === "ENOENT" || code === "ENOTDIR") return []
      throw error
    }
  )

/** Reads one of the user's own folders, whose other files are not checked. Throws a sentence about its fault. */
export const readOwn = (folder: string, name: string): SkillFolder => {
  const path = realpathSync(folder)
  const text = SmallFile.read(join(path, fileName)) ?? ""
  return { kind: "skill", path, name, text, digest: Canonical.digest(text), files: null }
}

/** Reads a folder of a project inside `root`, with the digests of its files. Throws a sentence about its fault. */
export const readBound = (folder: string, name: string, root: string): SkillFolder => {
  const path = realpathSync(folder)
  if (!path.startsWith(root === "/" ? "/" : `${root}/`)) throw new Error("it is a link to a place outside the project")
  const files = new Map<string, string>()
  let bytes = 0
  let text: string | null = null
  for (const { isLink, name: file } of walk(path)) {
    if (files.size === maxFiles) throw new Error(`its folder has more than ${maxFiles} files`)
    if (isLink) {
      files.set(file, `link:${readlinkSync(join(path, file))}`)
      continue
    }
    const content = contentOf(join(path, file), maxBytes - bytes)
    bytes += content.length
    if (file === fileName) text = content.toString("utf8").replace(/^\uFEFF/u, "")
    files.set(file, Canonical.digest(content))
  }
  if (text === null) throw new Error(`its ${fileName} is not a regular file`)
  return { kind: "skill", path, name, text, digest: Canonical.digestOf([...files]), files }
}

const contentOf = (path: string, byteLimit: number): Buffer => {
  // Non-blocking: a FIFO in place of the file must not block the program.
  const handle = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  const content = Result.try(() => {
    const found = fstatSync(handle)
    if (!found.isFile()) throw new Error(`${path} is not a regular file`)
    if (found.size > byteLimit) throw new Error(`its folder has more than ${maxBytes} bytes`)
    return readFileSync(handle)
  })
  closeSync(handle)
  return Result.getOrThrow(content)
}

interface WalkedFile {
  /** Returns the path relative to the folder. */
  readonly name: string
  readonly isLink: boolean
}

/** Yields files and links below the folder, sorted within each directory. */
const walk = function* (folder: string, below = ""): Generator<WalkedFile> {
  const entries = readdirSync(join(folder, below), { withFileTypes: true })
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const name = join(below, entry.name)
    if (entry.isDirectory()) yield* walk(folder, name)
    else if (entry.isFile() || entry.isSymbolicLink()) yield { name, isLink: entry.isSymbolicLink() }
  }
}

/** Lists the files in the folder besides SKILL.md that may be read, at most `maxFiles`. */
export const otherFiles = ({ files, path }: SkillFolder): ReadonlyArray<string> => {
  if (files !== null) {
    return [...files].flatMap(([name, digest]) => (name === fileName || digest.startsWith("link:") ? [] : [name]))
  }
  const found: Array<string> = []
  for (const { isLink, name } of walk(path)) {
    if (found.length === maxFiles) break
    if (!isLink && name !== fileName) found.push(name)
  }
  return found
}
