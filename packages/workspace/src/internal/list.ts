/** Lists a directory: one level by reading it, a whole tree by ripgrep. */
import type { ToolError } from "@bough/protocol"
import { LineWindow } from "@bough/text"
import { type WorkspaceRead } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Sensitive from "../Sensitive.ts"
import { infoOf, namesIn, withDirectory } from "./directory.ts"
import { existingEntries } from "./existingEntries.ts"
import { ignoredIn } from "./ignore.ts"
import { readAll, type View, withFile } from "./openFile.ts"
import { pathOf, segmentsOf } from "./pathText.ts"
import * as Ripgrep from "./ripgrep.ts"
import { isOperators } from "./root.ts"
import { lookUp } from "./walk.ts"
import * as Withheld from "./withheld.ts"

type ListedFiles = WorkspaceRead.ListResult<WorkspaceRead.ListedFile>

/** The maximum number of names that are sorted. */
const maxNames = 20_000
/** The largest file whose lines are counted. */
const maxMeasuredBytes = 1024 * 1024

export const list = Effect.fnUntraced(function* (
  { ripgrep, view }: { readonly view: View; readonly ripgrep: Ripgrep.Ripgrep },
  path: string,
  options: WorkspaceRead.ListOptions
): Effect.fn.Return<ListedFiles, ToolError.ToolError> {
  const { items, truncated } = yield* options.recursive
    ? tree({ ripgrep, view }, path, options)
    : level(view, path, options)
  if (!options.measure) return { items, truncated }
  return { items: yield* Effect.forEach(items, (item) => measure(view, item)), truncated }
})

const level = (
  view: View,
  path: string,
  options: WorkspaceRead.ListOptions
): Effect.Effect<ListedFiles, ToolError.ToolError> =>
  withDirectory(view.root, path, (directory, { segments }) =>
    Effect.gen(function* () {
      const isLeftOut = Withheld.walk(view.root, view.withheld, { at: segments, depth: 1 })
      const { complete, names } = yield* namesIn(directory, maxNames, path)
      const isIgnored = options.ignored ? () => false : yield* ignoredIn(view, segments)
      const items: Array<WorkspaceRead.ListedFile> = []
      for (const name of names) {
        const place = [...segments, name]
        if (!options.hidden && name.startsWith(".")) continue
        if (Sensitive.isProtected(place, "read") || isOperators(view.root, place) || isLeftOut(place)) continue
        const stats = yield* lookUp(directory.prefix + name, pathOf(view.root, place))
        if (stats === null || isIgnored(name, stats.isDirectory())) continue
        if (items.length === options.limit) return { items, truncated: true }
        items.push(infoOf(pathOf(view.root, place), stats))
      }
      return { items, truncated: !complete }
    })
  )

const tree = (
  { ripgrep, view }: { readonly view: View; readonly ripgrep: Ripgrep.Ripgrep },
  path: string,
  options: WorkspaceRead.ListOptions
): Effect.Effect<ListedFiles, ToolError.ToolError> =>
  withDirectory(ripgrep.root, path, (_directory, { segments }) => Effect.succeed(segments)).pipe(
    Effect.flatMap((segments) =>
      Effect.gen(function* () {
        const isLeftOut = Withheld.walk(view.root, view.withheld, { at: segments, depth: Infinity })
        const { paths, truncated } = yield* Ripgrep.files(ripgrep, segments, [
          ...(options.hidden ? ["--hidden"] : []),
          ...(options.ignored ? ["--no-ignore"] : [])
        ])
        const visible = paths.values().filter((found) => !isLeftOut(segmentsOf(view.root, found)))
        const found = yield* existingEntries(view.root, visible, options.limit)
        return { items: found.items, truncated: found.truncated || truncated }
      })
    )
  )

const measure = (view: View, item: WorkspaceRead.ListedFile): Effect.Effect<WorkspaceRead.ListedFile> => {
  if (item.kind !== "file" || item.bytes > maxMeasuredBytes) return Effect.succeed(item)
  return withFile(view, item.path, (file) => readAll(file, maxMeasuredBytes)).pipe(
    Effect.map((bytes) => {
      const scanner = LineWindow.scanner({ fromLine: 1, maxLines: 0, maxBytes: 0 })
      scanner.push(bytes)
      const { binary, totalLines } = scanner.finish(bytes.length, "")
      return { ...item, binary, ...(binary ? {} : { lines: totalLines ?? 0 }) }
    }),
    Effect.orElseSucceed(() => item)
  )
}
