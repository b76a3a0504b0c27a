/**
 * Open directories of a workspace. On Linux a name is looked up in the open directory itself, through
 * `/proc/self/fd/N/name`: even if entries are replaced in between, no lookup follows a link or leaves the root.
 */
import { SystemError } from "@bough/disk"
import * as fs from "node:fs"
import { runFinally, orElse } from "./attempt.ts"
import { toPath } from "./ByteName.ts"

/** `prefix` ends in "/": append a name to get its path in this directory. */
export interface Directory {
  readonly fd: number
  readonly prefix: string
}

export interface Root {
  /** The path without links, as bytes. */
  readonly path: string
  readonly directory: Directory
  /** False: this platform supports lookups only by path, so restoring is refused. */
  readonly isSafe: boolean
  readonly uid: number
  readonly gid: number
}

// Linux; absent from `fs.constants`.
const O_PATH = 0o10000000
const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = fs.constants
const descriptors = "/proc/self/fd"

/** Opens the root; the caller closes its descriptor. Throws the error of the system. */
export const openRoot = (path: string): Root => {
  const isSafe = isLookedUpInside()
  const fd = fs.openSync(toPath(path), (isSafe ? O_PATH : O_RDONLY) | O_DIRECTORY | O_NOFOLLOW)
  const { gid, uid } = fs.fstatSync(fd)
  const prefix = isSafe ? `${descriptors}/${fd}/` : path === "/" ? "/" : `${path}/`
  return { path, directory: { fd, prefix }, isSafe, uid, gid }
}

/** Opens a directory by its name in another one, never through a link. Throws the error of the system. */
export const open = (root: Root, parent: Directory, name: string): Directory => {
  const fd = fs.openSync(toPath(parent.prefix + name), (root.isSafe ? O_PATH : O_RDONLY) | O_DIRECTORY | O_NOFOLLOW)
  return { fd, prefix: root.isSafe ? `${descriptors}/${fd}/` : `${parent.prefix}${name}/` }
}

/**
 * Opens the directory of these names until `close` is called; null: a part of the path is not a directory or cannot be
 * opened.
 */
export const openChain = (
  root: Root,
  segments: ReadonlyArray<string>
): { readonly directory: Directory; readonly close: () => void } | null => {
  const opened: Array<number> = []
  const close = () => {
    for (const fd of opened) fs.closeSync(fd)
  }
  return orElse(
    () => {
      let directory = root.directory
      for (const name of segments) {
        directory = open(root, directory, name)
        opened.push(directory.fd)
      }
      return { directory, close }
    },
    () => {
      close()
      return null
    }
  )
}

/** Makes the entries of the directory durable, if the file system supports that. */
export const sync = (directory: Directory): void => {
  const fd = fs.openSync(toPath(`${directory.prefix}.`), O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  runFinally(
    () =>
      orElse(
        () => fs.fsyncSync(fd),
        (cause) => {
          const { code } = SystemError.toSystemError(cause)
          if (code !== "EINVAL" && code !== "ENOTSUP") throw cause
        }
      ),
    () => fs.closeSync(fd)
  )
}

/** Reads the facts of the name itself, never through a link; null: the entry is missing or cannot be read. */
export const statsOf = (path: string): fs.Stats | null =>
  orElse(
    () => fs.lstatSync(toPath(path), { throwIfNoEntry: false }) ?? null,
    () => null
  )

const isLookedUpInside = (): boolean => {
  if (process.platform !== "linux") return false
  return orElse(
    () => {
      const fd = fs.openSync("/proc", O_PATH | O_DIRECTORY)
      return runFinally(
        () => fs.lstatSync(`${descriptors}/${fd}/self`).isSymbolicLink(),
        () => fs.closeSync(fd)
      )
    },
    () => false
  )
}
