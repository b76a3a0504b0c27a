/** Converts between workspace paths and the protocol's file URIs. A URI outside of the workspace has no path. */
import * as Result from "effect/Result"
import { isAbsolute, relative, resolve, sep } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

export interface WorkspacePaths {
  /** The base of relative paths, with links resolved. */
  readonly root: string
  readonly rootUri: string
  /** Returns the absolute path. */
  readonly toFile: (path: string) => string
  readonly toUri: (path: string) => string
  /** Returns the workspace path; null: the URI is not a file, or is outside of the workspace. */
  readonly fromUri: (uri: string) => string | null
}

const maxUriLength = 4096

/**
 * Makes the conversions. `roots`: all directories of the workspace, absolute and with links resolved; the first is the
 * base of relative paths.
 */
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
      // The path is relative to the base; `..` leads up to the repository.
      return isInRepository(inner, roots, path) ? inner : path
    }
  }
}

/**
 * Returns true if a relative path can name the file, because it is below the first root, or below the second, which is
 * the repository around the first.
 */
const isInRepository = (inner: string, [root, repository]: ReadonlyArray<string>, path: string): boolean =>
  !inner.startsWith("..") ||
  (root !== undefined &&
    repository !== undefined &&
    root.startsWith(`${repository}${sep}`) &&
    path.startsWith(`${repository}${sep}`))
