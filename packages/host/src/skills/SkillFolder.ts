/**
 * A folder with a SKILL.md: found, read, and held to what is in it. Links in it are never followed; those to it may not
 * lead out of the project.
 */
import { Canonical } from "@bough/protocol"
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
import * as Result from "effect/Result"
import { join } from "node:path"
import * as SmallFile from "@bough/disk/SmallFile"

export const fileName = "SKILL.md"

/** Below a directory of a project, in the order in which they count. */
export const projectPlaces = [".bough", ".agents", ".claude"].map((name) => join(name, "skills"))

export interface SkillFolder {
  readonly kind: "skill"
  /** Of the folder, without links. */
  readonly path: string
  /** Of its SKILL.md, as people know it. */
  readonly name: string
  /** Of its SKILL.md. */
  readonly text: string
  /** Over all that is in it where it is bound, else over SKILL.md. */
  readonly digest: string
  /** What it is bound to: digests by path, `link:…` for links. Null: it is not. */
  readonly files: ReadonlyMap<string, string> | null
}

const maxFolders = 100
const maxFiles = 256
const maxBytes = 8 * 1024 * 1024

/** Folders below `place` that hold a SKILL.md, by name. */
export const skillNames = (place: string): ReadonlyArray<string> =>
  entriesOf(place)
    .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
    .map(({ name }) => name)
    .filter((name) => existsSync(join(place, name, fileName)))
    .toSorted()
    .slice(0, maxFolders)

const entriesOf = (place: string): ReadonlyArray<Dirent> =>
  Result.getOrElse(
    Result.try(() => readdirSync(place, { withFileTypes: true })),
    (error) => {
      const { code } = error as NodeJS.ErrnoException
      if (code === "ENOENT" || code === "ENOTDIR") return []
      throw error
    }
  )

/** Of a person's own: whatever is in it counts. Throws what is wrong with it, in one sentence. */
export const readOwn = (folder: string, name: string): SkillFolder => {
  const path = realpathSync(folder)
  const text = SmallFile.read(join(path, fileName)) ?? ""
  return { kind: "skill", path, name, text, digest: Canonical.digest(text), files: null }
}

/** Of a project: bound to all that is in it, and inside `root`. Throws what is wrong with it, in one sentence. */
export const readBound = (folder: string, name: string, root: string): SkillFolder => {
  const path = realpathSync(folder)
  if (!path.startsWith(root === "/" ? "/" : `${root}/`)) throw new Error("it is a link that leads out of the project")
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

const contentOf = (path: string, room: number): Buffer => {
  // Non-blocking: a FIFO that took its place must not hold the program up.
  const handle = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  const content = Result.try(() => {
    const found = fstatSync(handle)
    if (!found.isFile()) throw new Error(`${path} is not a regular file`)
    if (found.size > room) throw new Error(`its folder has more than ${maxBytes} bytes`)
    return readFileSync(handle)
  })
  closeSync(handle)
  return Result.getOrThrow(content)
}

interface Walked {
  /** Below the folder. */
  readonly name: string
  readonly isLink: boolean
}

/** Files and links below the folder, sorted within each directory. */
const walk = function* (folder: string, below = ""): Generator<Walked> {
  const entries = readdirSync(join(folder, below), { withFileTypes: true })
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const name = join(below, entry.name)
    if (entry.isDirectory()) yield* walk(folder, name)
    else if (entry.isFile() || entry.isSymbolicLink()) yield { name, isLink: entry.isSymbolicLink() }
  }
}

/** What may be read beside SKILL.md, the first `maxFiles` of it. */
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
