/** Paths of the workspace and the file URIs of the protocol. A URI that is no file of the workspace has no path. */
import * as Result from "effect/Result"
import { isAbsolute, relative, resolve, sep } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

export interface WorkspacePaths {
  /** Where relative paths begin, without links. */
  readonly root: string
  readonly rootUri: string
  /** The absolute path. */
  readonly toFile: (path: string) => string
  readonly toUri: (path: string) => string
  /** Null: outside the workspace, or no file. */
  readonly fromUri: (uri: string) => string | null
}

const maxUriLength = 4096

/** `roots`: all directories of the workspace, absolute and without links; relative paths begin at the first. */
export const make = (roots: readonly [string, ...ReadonlyArray<string>]): WorkspacePaths => {
  const [root] = roots
  const isInside = (path: string): boolean =>
    roots.some((one) => path === one || path.startsWith(one.endsWith(sep) ? one : `${one}${sep}`))
  return {
    root,
    rootUri: pathToFileURL(root).href,
    toFile: (path) => resolve(root, path),
    toUri: (path) => pathToFileURL(resolve(root, path)).href,
    fromUri: (uri) => {
      if (uri.length > maxUriLength || !uri.startsWith("file:")) return null
      const decoded = Result.getOrNull(Result.try(() => fileURLToPath(uri)))
      if (decoded === null || !isAbsolute(decoded)) return null
      const path = resolve(decoded)
      if (!isInside(path)) return null
      const inner = relative(root, path)
      // As the workspace names them: relative where relative paths begin, `..` up to its repository.
      return isInRepository(inner, roots, path) ? inner : path
    }
  }
}

/** True where a relative path names it: at or below the first two roots, of which the second is the repository around. */
const isInRepository = (inner: string, [root, repository]: ReadonlyArray<string>, path: string): boolean =>
  !inner.startsWith("..") ||
  (root !== undefined &&
    repository !== undefined &&
    root.startsWith(`${repository}${sep}`) &&
    path.startsWith(`${repository}${sep}`))
