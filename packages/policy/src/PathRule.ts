/**
 * Paths in rules: a rule's path covers itself and everything below it, by whole segments. Pure text: the dispatcher
 * resolves links. A rule that allows matches only paths that are certainly covered; a rule that restricts also matches
 * paths that may be.
 */

const pathNames = new Set(["path", "paths", "from", "to", "root", "cwd"])

/** The field name that stands for every path of a call in an ask or a deny. */
export const pathField = "path"

/** True if a field of this name contains a path: all tools give paths the same names. */
export const isPathField = (name: string): boolean => pathNames.has(name.slice(name.lastIndexOf(".") + 1))

/** True if a field of this name contains the directory in which a call works, and not the target of the call. */
export const isWorkingDirectory = (name: string): boolean => /(?:^|\.)cwd$/u.test(name)

/** Splits a path into segments, without empty ones and "."; ".." stays. */
export const segmentsOf = (path: string): ReadonlyArray<string> =>
  path.split("/").filter((segment) => segment !== "" && segment !== ".")

/** The path as it counts from the workspace root of a call, for a rule whose relative paths count from `folder`. */
export const countedFrom = (folder: string | undefined, path: string): string =>
  folder === undefined || path.startsWith("/") ? path : `${folder}/${path}`

interface PathPosition {
  /** False: the path is relative to the workspace root. */
  readonly absolute: boolean
  readonly segments: ReadonlyArray<string>
}

/** The path relative to the root; null: the file system must resolve its "..". */
const placeOf = (path: string, root: string): PathPosition | null => {
  const segments = segmentsOf(path)
  return segments.includes("..") ? null : belowRoot(path.startsWith("/"), segments, root)
}

/** Returns the location with ".." resolved as text. */
const lexicalPlaceOf = (path: string, root: string): PathPosition => {
  const resolved: Array<string> = []
  for (const segment of segmentsOf(path.startsWith("/") ? path : `${root}/${path}`)) {
    if (segment === "..") resolved.pop()
    else resolved.push(segment)
  }
  return belowRoot(true, resolved, root)
}

const belowRoot = (absolute: boolean, segments: ReadonlyArray<string>, root: string): PathPosition => {
  const above = segmentsOf(root)
  return absolute && startsWith(segments, above)
    ? { absolute: false, segments: segments.slice(above.length) }
    : { absolute, segments }
}

const startsWith = (segments: ReadonlyArray<string>, prefix: ReadonlyArray<string>): boolean =>
  prefix.length <= segments.length && prefix.every((segment, index) => segments[index] === segment)

/**
 * True if the location is below the rule's path. With `root`, a location below the root is also below the root's
 * ancestors.
 */
const contains = (rule: PathPosition | null, place: PathPosition | null, root: string): boolean => {
  if (rule === null || place === null) return false
  if (rule.absolute === place.absolute) return startsWith(place.segments, rule.segments)
  return rule.absolute && startsWith(segmentsOf(root), rule.segments)
}

/** Folds names that some file systems treat as equal. */
const fold = (path: string): string =>
  path
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .toLowerCase()

/** True if `path` is certainly at or below the rule's path. */
export const surelyWithin = (rule: string, path: string, root: string): boolean =>
  contains(placeOf(rule, root), placeOf(path, root), root)

/**
 * True if `path` is certainly the rule's path itself and not a path below it. With a final "/" the rule means a
 * directory.
 */
export const surelySame = (rule: string, path: string, root: string): boolean =>
  (!rule.endsWith("/") || path.endsWith("/")) && surelyWithin(rule, path, root) && surelyWithin(path, rule, root)

/** True if `path` may be at or below the rule's path on some file system, including with ".." resolved as text. */
export const maybeWithin = (rule: string, path: string, root: string): boolean =>
  surelyWithin(rule, path, root) ||
  contains(lexicalPlaceOf(fold(rule), fold(root)), lexicalPlaceOf(fold(path), fold(root)), fold(root))
