/** Parses a path that a tool was given into names below the root. It reads nothing from the disk. */
import type { ToolError } from "@bough/protocol"
import * as Effect from "effect/Effect"
import { type Access, quote, refuse } from "../Refusal.ts"
import type { Root } from "./root.ts"

/** Returns the names of a path, ".." included; absolute paths are accepted if they begin with the root. */
export const namesOf = (
  root: Root,
  path: string,
  access: Access
): Effect.Effect<ReadonlyArray<string>, ToolError.PermissionDenied> => {
  if (path === "") return Effect.fail(refuse("BadName", access, "the path is empty"))
  if (path.includes("\0")) return Effect.fail(refuse("BadName", access, `${quote(path)} holds a NUL`))
  if (!path.isWellFormed()) return Effect.fail(refuse("BadName", access, `${quote(path)} is not well-formed Unicode`))
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(path)) {
    return Effect.fail(refuse("BadName", access, `${quote(path)} is a URL, not a path of the workspace`))
  }
  if (!path.startsWith("/")) return Effect.succeed([...root.start, ...split(path)])
  const inside = belowRoot(root, path)
  return inside === null
    ? Effect.fail(refuse("PathEscape", access, `${quote(path)} is outside the workspace`))
    : Effect.succeed(inside)
}

/** Returns the names of an absolute path after those of the root; null: the path is not below the root. */
export const belowRoot = (root: Root, path: string): ReadonlyArray<string> | null => {
  for (const start of [root.path, root.givenPath]) {
    if (path === start) return []
    const base = start === "/" ? "/" : `${start}/`
    if (start.startsWith("/") && path.startsWith(base)) return split(path.slice(base.length))
  }
  return null
}

/** Drops "." and empty names. */
export const split = (path: string): ReadonlyArray<string> =>
  path.split("/").filter((name) => name !== "" && name !== ".")

/** True if both paths have the same names. */
export const areSame = (one: ReadonlyArray<string>, other: ReadonlyArray<string>): boolean =>
  one.length === other.length && one.every((name, index) => name === other[index])

/** Returns the names below the root of a path that is relative to the working folder and contains no link. */
export const segmentsOf = (root: Root, path: string): ReadonlyArray<string> => {
  const inside = path.startsWith("/") ? belowRoot(root, path) : null
  const segments = inside === null ? [...root.start] : []
  for (const name of inside ?? split(path)) {
    if (name === "..") segments.pop()
    else segments.push(name)
  }
  return segments
}

/** Formats a location below the root: relative to the working folder, or absolute if the root is outside of it. */
export const pathOf = (root: Root, segments: ReadonlyArray<string>): string =>
  root.isStart ? relative(root.start, segments) : join([root.path, ...segments])

/** Returns the relative path between two locations. */
export const relative = (from: ReadonlyArray<string>, to: ReadonlyArray<string>): string => {
  const parting = from.findIndex((name, index) => name !== to[index])
  const shared = parting === -1 ? from.length : parting
  return join([...from.slice(shared).map(() => ".."), ...to.slice(shared)])
}

/** Joins names again; "." is the root. */
export const join = (segments: ReadonlyArray<string>): string => (segments.length === 0 ? "." : segments.join("/"))
