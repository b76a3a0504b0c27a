/**
 * The paths of a workspace for completion, without those that .gitignore names. They are listed on first use, and again
 * after some time.
 */
import { ProcessRunnerNode } from "@bough/sandbox"
import type { ListedPath } from "@bough/tui/editor/EditorEvent"
import * as Fuzzy from "@bough/tui/editor/Fuzzy"
import { Workspace } from "@bough/workspace"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"

/** Reports that the files of the workspace cannot be listed. */
export class PathsFailed extends Schema.TaggedError<PathsFailed>()("PathsFailed", { message: Schema.String }) {}

export interface PathLister {
  /** The best matches first, at most `maxPaths`. */
  readonly complete: (query: string) => Effect.Effect<ReadonlyArray<ListedPath>, PathsFailed>
}

export interface ListedWorkspace {
  readonly root: string
  /** Absolute paths that are left out, such as the data directory. */
  readonly protectedPaths: ReadonlyArray<string>
}

export const maxPaths = 50
/** The maximum number of files that are searched. */
const maxFiles = 20_000
const freshFor = "10 seconds"

export const make = Effect.fnUntraced(function* (
  listedWorkspace: ListedWorkspace
): Effect.fn.Return<PathLister, never, Scope.Scope> {
  const scope = yield* Effect.scope
  const workspace = yield* Effect.cached(
    Workspace.make(listedWorkspace).pipe(
      Effect.provide(ProcessRunnerNode.layer),
      Effect.provideService(Scope.Scope, scope)
    )
  )
  const listed = yield* Effect.cachedWithTTL(
    workspace.pipe(
      Effect.flatMap(({ read }) =>
        read([]).list(".", { recursive: true, hidden: true, ignored: false, measure: false, limit: maxFiles })
      ),
      Effect.map(({ items }) => withFolders(items.map(({ path }) => path))),
      Effect.mapError((error) => new PathsFailed({ message: `cannot list ${listedWorkspace.root}: ${error.message}` }))
    ),
    freshFor
  )
  return {
    complete: (query) => Effect.map(listed, (paths) => Fuzzy.best(paths, pathText, { query, limit: maxPaths }))
  }
})

const pathText = ({ isFolder, path }: ListedPath): string => (isFolder ? `${path}/` : path)

const controlCharacter = /\p{Cc}/u

/** Puts each folder before its first file. */
const withFolders = (files: ReadonlyArray<string>): ReadonlyArray<ListedPath> => {
  const folders = new Set<string>()
  return files
    .filter((path) => !controlCharacter.test(path))
    .flatMap((path) => {
      const added: Array<ListedPath> = []
      for (let end = path.indexOf("/"); end >= 0; end = path.indexOf("/", end + 1)) {
        const folder = path.slice(0, end)
        if (folders.has(folder)) continue
        folders.add(folder)
        added.push({ path: folder, isFolder: true })
      }
      return [...added, { path, isFolder: false }]
    })
}
