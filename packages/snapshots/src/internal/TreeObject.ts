/**
 * Directories as stored objects: their entries, named by the digest of their text. Directories with the same files have
 * the same name, so that whole trees are compared by one name.
 */
import { Buffer } from "node:buffer"
import { hash } from "node:crypto"
import { byBytes } from "./ByteName.ts"

/** The permission bits of a mode. */
export type Mode = number

export interface FileEntry {
  readonly kind: "file"
  readonly mode: Mode
  readonly bytes: number
  readonly id: string
}

export interface DirectoryEntry {
  readonly kind: "directory"
  readonly mode: Mode
  readonly id: string
}

export interface LinkEntry {
  readonly kind: "link"
  readonly target: string
}

/** The reason why an entry is in no snapshot. */
export type Exclusion =
  | "too large"
  | "unreadable"
  | "special file"
  | "another owner's file"
  | "ignored by git"
  | "too deep"
  | "changing"

/** An entry that is not restorable. `bytes` and `modifiedAtMillis` distinguish its states. */
export interface ExcludedEntry {
  readonly kind: "excluded"
  readonly reason: Exclusion
  readonly bytes: number
  readonly modifiedAtMillis: number
}

export type Entry = FileEntry | DirectoryEntry | LinkEntry | ExcludedEntry

/** The entries of a directory by name. */
export type Tree = ReadonlyMap<string, Entry>

type Row = readonly [tag: string, name: string, ...fields: ReadonlyArray<string | number>]

const row = (name: string, entry: Entry): Row => {
  switch (entry.kind) {
    case "file":
      return ["f", name, entry.mode, entry.bytes, entry.id]
    case "directory":
      return ["d", name, entry.mode, entry.id]
    case "link":
      return ["l", name, entry.target]
    case "excluded":
      return ["x", name, entry.reason, entry.bytes, entry.modifiedAtMillis]
  }
}

/** Encodes entries; names, targets and the text have one character per byte. */
export const encode = (entries: Iterable<readonly [string, Entry]>): Buffer =>
  Buffer.from(
    JSON.stringify([...entries].toSorted(([a], [b]) => byBytes(a, b)).map(([name, entry]) => row(name, entry))),
    "latin1"
  )

/** Decodes a tree; throws if the text is not a tree. */
export const decode = (content: Buffer): Tree =>
  new Map((JSON.parse(content.toString("latin1")) as ReadonlyArray<Row>).map((fields) => [fields[1], entryOf(fields)]))

const entryOf = ([tag, , ...fields]: Row): Entry => {
  switch (tag) {
    case "f":
      return { kind: "file", mode: Number(fields[0]), bytes: Number(fields[1]), id: String(fields[2]) }
    case "d":
      return { kind: "directory", mode: Number(fields[0]), id: String(fields[1]) }
    case "l":
      return { kind: "link", target: String(fields[0]) }
    default:
      return {
        kind: "excluded",
        reason: fields[0] as Exclusion,
        bytes: Number(fields[1]),
        modifiedAtMillis: Number(fields[2])
      }
  }
}

export const treeId = (content: Buffer): string => `t${hash("sha256", content, "base64url")}`

export const contentId = (content: Uint8Array): string => `b${hash("sha256", content, "base64url")}`

/**
 * Returns true if both entries are equal; for directories only the mode is compared, since their entries are compared
 * separately.
 */
export const isSame = (a: Entry | null, b: Entry | null): boolean => {
  if (a === null || b === null) return a === b
  if (a.kind === "directory" && b.kind === "directory") return a.mode === b.mode
  return a.kind === b.kind && JSON.stringify(row("", a)) === JSON.stringify(row("", b))
}
