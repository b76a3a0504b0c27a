/**
 * Paths that rules withhold from a command: they appear empty and cannot be moved, so that they cannot be reached under
 * another name.
 */
import { ToolError } from "@bough/protocol"
import type { ToolContext } from "@bough/tool"
import * as Effect from "effect/Effect"
import { resolve } from "node:path"
import * as Disk from "./internal/Disk.ts"
import { contains } from "./Toolchains.ts"

export interface WithheldEntries {
  readonly directories: ReadonlyArray<string>
  readonly files: ReadonlyArray<string>
}

export const none: WithheldEntries = { directories: [], files: [] }

/** Returns the withheld paths that exist, with links resolved. Fails if no part of the workspace would be left. */
export const resolveWithheld = Effect.fnUntraced(function* (
  { roots, start }: { readonly start: string; readonly roots: ReadonlyArray<{ readonly path: string }> },
  withheld: ToolContext.WithheldLocations | undefined
): Effect.fn.Return<WithheldEntries, ToolError.PermissionDenied> {
  if (withheld === undefined) return none
  const directories = new Set<string>()
  const files = new Set<string>()
  for (const place of withheld.places) {
    const path = yield* Disk.withoutLinks(resolve(start, place.path))
    if (path === null) continue
    if (roots.some((root) => contains(path, root.path))) {
      const reason = `the rule ${JSON.stringify(place.rule)} withholds the whole workspace`
      return yield* new ToolError.PermissionDenied({ tier: "System", reason })
    }
    const entry = roots.some((root) => contains(root.path, path)) ? yield* Disk.entry(path) : null
    if (entry === null) continue
    const places = entry.isDirectory() ? directories : files
    places.add(path)
    withheld.report(place)
  }
  // Skips entries of a directory that is shown empty, because they do not exist as mount points.
  const outermost = (path: string) => ![...directories].some((other) => other !== path && contains(other, path))
  return { directories: [...directories].filter(outermost), files: [...files].filter(outermost) }
})
