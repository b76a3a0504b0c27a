/**
 * Looks up paths that ripgrep listed: each entry that still exists, is reached without links, and may be seen. The
 * directory of paths that follow each other is opened once.
 */
import type { WorkspaceRead } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Sensitive from "../Sensitive.ts"
import { infoOf, lookAt, withDirectory } from "./directory.ts"
import { areSame, pathOf, segmentsOf } from "./pathText.ts"
import { isOperators, type Directory, type Root } from "./root.ts"
import { lookUp } from "./walk.ts"

type Entry = WorkspaceRead.FileInfo

interface ListedPath {
  readonly path: string
  readonly segments: ReadonlyArray<string>
}

/** Returns the first `limit` entries, and whether there are more. */
export const existingEntries = Effect.fnUntraced(function* (
  root: Root,
  paths: Iterable<string>,
  limit: number
): Effect.fn.Return<WorkspaceRead.ListResult<Entry>> {
  const items: Array<Entry> = []
  for (const siblings of byDirectory(root, paths)) {
    if (items.length > limit) break
    items.push(...(yield* entriesOf(root, { siblings, maxEntries: limit + 1 - items.length })))
  }
  return { items: items.slice(0, limit), truncated: items.length > limit }
})

/** Groups the paths, which keep their order: a directory may have several groups. */
const byDirectory = function* (root: Root, paths: Iterable<string>): Generator<ReadonlyArray<ListedPath>, void> {
  let group: Array<ListedPath> = []
  let directory: ReadonlyArray<string> = []
  for (const path of paths) {
    const segments = segmentsOf(root, path)
    const parent = segments.slice(0, -1)
    if (group.length > 0 && !areSame(directory, parent)) {
      yield group
      group = []
    }
    group.push({ path, segments })
    directory = parent
  }
  if (group.length > 0) yield group
}

/** Paths in one directory, of which up to `maxEntries` exist. */
interface Group {
  readonly siblings: ReadonlyArray<ListedPath>
  readonly maxEntries: number
}

const entriesOf = (root: Root, group: Group): Effect.Effect<ReadonlyArray<Entry>> => {
  const { siblings } = group
  // A path that its call was judged by is walked like one that the model wrote.
  if (siblings.length === 1 || siblings.some(({ path }) => root.judged?.has(path) === true)) {
    return eachAlone(root, group)
  }
  const parent = siblings[0].segments.slice(0, -1)
  return withDirectory(root, pathOf(root, parent), (directory, { segments }) =>
    areSame(segments, parent) ? inDirectory(root, directory, group) : Effect.succeed([])
  ).pipe(Effect.orElseSucceed(() => []))
}

const inDirectory = (
  root: Root,
  directory: Directory,
  { maxEntries, siblings }: Group
): Effect.Effect<ReadonlyArray<Entry>> =>
  Effect.gen(function* () {
    const items: Array<Entry> = []
    for (const { path, segments } of siblings) {
      if (items.length === maxEntries) break
      if (isOperators(root, segments) || Sensitive.isProtected(segments, "read")) continue
      const at = directory.prefix + segments[segments.length - 1]
      const stats = yield* Effect.orElseSucceed(lookUp(at, path), () => null)
      if (stats !== null) items.push(infoOf(path, stats))
    }
    return items
  })

const eachAlone = (root: Root, { maxEntries, siblings }: Group): Effect.Effect<ReadonlyArray<Entry>> =>
  Effect.gen(function* () {
    const items: Array<Entry> = []
    for (const { path } of siblings) {
      if (items.length === maxEntries) break
      const found = yield* Effect.orElseSucceed(lookAt(root, path, "read"), () => null)
      if (found !== null && found.stats !== null && found.path === path) items.push(infoOf(path, found.stats))
    }
    return items
  })
