/** Finds files by glob. */
import type { ToolError } from "@bough/protocol"
import type { WorkspaceRead } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Glob from "effect/Glob"
import { withDirectory } from "./directory.ts"
import { existingEntries } from "./existingEntries.ts"
import * as Globs from "./globs.ts"
import type { View } from "./openFile.ts"
import { join, segmentsOf } from "./pathText.ts"
import * as Ripgrep from "./ripgrep.ts"
import * as Withheld from "./withheld.ts"

/** The glob is matched against the path below the directory. */
export const find = Effect.fnUntraced(function* (
  { ripgrep, view }: { readonly view: View; readonly ripgrep: Ripgrep.Ripgrep },
  glob: string,
  { limit, path }: { readonly path: string; readonly limit: number }
): Effect.fn.Return<WorkspaceRead.ListResult<string>, ToolError.ToolError> {
  const compiled = yield* Globs.compile(glob, "glob")
  const segments = yield* withDirectory(ripgrep.root, path, (_directory, place) => Effect.succeed(place.segments))
  const isLeftOut = Withheld.walk(view.root, view.withheld, { at: segments, depth: Infinity })
  const found = yield* Ripgrep.files(ripgrep, segments, [
    ...Globs.coarseGlobs([glob]),
    ...(Globs.wantsHidden(glob) ? ["--hidden"] : [])
  ])
  const wanted = found.paths.values().filter((candidate) => {
    const place = segmentsOf(view.root, candidate)
    return Glob.match(compiled, join(place.slice(segments.length))) && !isLeftOut(place)
  })
  const { items, truncated } = yield* existingEntries(view.root, wanted, limit)
  return { items: items.map((item) => item.path), truncated: truncated || found.truncated }
})
