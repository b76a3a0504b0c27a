/** Everything below a directory, found by walks. */
import type { ToolError } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import type { Access } from "../Refusal.ts"
import { quote, refuse } from "../Refusal.ts"
import * as Sensitive from "../Sensitive.ts"
import { infoOf, namesIn, withEntryOpen } from "./directory.ts"
import { pathOf } from "./pathText.ts"
import { type Directory, isOperators, type Root } from "./root.ts"
import { call, report } from "./systemCall.ts"
import { lookUp, type WalkLocation, visit } from "./walk.ts"

export interface TreeEntry {
  /** The path below the listed directory; "" for the directory itself. */
  readonly inner: string
  readonly path: string
  readonly kind: "file" | "directory" | "symlink" | "other"
  readonly bytes: number
  readonly changedAtMillis: number
}

const maxEntries = 100_000

/**
 * Returns the entry itself first, and each directory before its content. Fails if there are too many entries, or at
 * version control and agent state unless these are skipped.
 */
export const entriesBelow = (
  root: Root,
  location: WalkLocation,
  { access, state }: { readonly access: Access; readonly state: "refuse" | "skip" }
): Effect.Effect<ReadonlyArray<TreeEntry>, ToolError.ToolError> => {
  const entries: Array<TreeEntry> = []
  const add = Effect.fnUntraced(function* (
    parent: Directory,
    name: string,
    inner: string
  ): Effect.fn.Return<void, ToolError.ToolError> {
    const segments = inner === "" ? location.segments : [...location.segments, ...inner.split("/")]
    const path = pathOf(root, segments)
    const isOutOfBounds = Sensitive.holdsState(segments) || isOperators(root, segments)
    if (isOutOfBounds && state === "skip") return
    if (isOutOfBounds) return yield* refuse("Protected", access, `${quote(path)} may not be changed`)
    if (entries.length === maxEntries) {
      return yield* refuse("TooLarge", access, `${quote(location.path)} holds more than ${maxEntries} entries`)
    }
    const stats = yield* lookUp(parent.prefix + name, path)
    if (stats === null) return
    const { bytes, changedAtMillis, kind } = infoOf(path, stats)
    entries.push({ inner, path, kind, bytes, changedAtMillis })
    if (kind === "directory") {
      yield* withEntryOpen(root, { parent, name, path }, (directory) =>
        Effect.gen(function* () {
          const { names } = yield* namesIn(directory, maxEntries + 1, path)
          for (const child of names) yield* add(directory, child, inner === "" ? child : `${inner}/${child}`)
        })
      )
    }
  })
  return Effect.as(add(location.parent, location.name, ""), entries)
}

/** The directories among the entries, each with its direct children. */
export const byDirectory = (
  entries: ReadonlyArray<TreeEntry>
): ReadonlyArray<{ readonly directory: TreeEntry; readonly children: ReadonlyArray<TreeEntry> }> => {
  const children = Map.groupBy(
    entries.filter(({ inner }) => inner !== ""),
    ({ inner }) => inner.slice(0, Math.max(0, inner.lastIndexOf("/")))
  )
  return entries
    .filter(({ kind }) => kind === "directory")
    .map((directory) => ({ directory, children: children.get(directory.inner) ?? [] }))
}

/** The last name of an entry's path. */
export const nameOf = ({ path }: TreeEntry): string => path.slice(path.lastIndexOf("/") + 1)

/** Opens the directory of an entry while `use` runs, unless it was swapped in the meantime. */
export const withEntry = <A>(
  root: Root,
  path: string,
  use: (directory: Directory) => Effect.Effect<A, ToolError.ToolError>
): Effect.Effect<A, ToolError.ToolError> =>
  visit(root, { path, access: "write", follow: false, missing: "fail", isWithinTree: true }, (place) =>
    withEntryOpen(root, place, use)
  )

/**
 * Removes entries, the contents of a directory before the directory.
 *
 * - `at` names the first one; with `isPartial` some may be missing
 */
export const removeEntries = Effect.fnUntraced(function* (
  root: Root,
  entries: ReadonlyArray<TreeEntry>,
  { at, isPartial }: { readonly at: string; readonly isPartial: boolean }
): Effect.fn.Return<void, ToolError.ToolError> {
  const passing = (effect: Effect.Effect<void, ToolError.ToolError>) => (isPartial ? Effect.ignore(effect) : effect)
  for (const { children, directory } of byDirectory(entries).toReversed()) {
    yield* passing(
      withEntry(root, directory.path, (opened) =>
        Effect.forEach(children, (child) => passing(removeOne(opened.prefix + nameOf(child), child)), { discard: true })
      )
    )
  }
  yield* passing(removeOne(at, entries[0]))
})

const removeOne = (at: string, { kind, path }: TreeEntry): Effect.Effect<void, ToolError.ToolError> =>
  call(() => (kind === "directory" ? fs.rmdirSync(at) : fs.unlinkSync(at))).pipe(Effect.mapError(report(path)))
