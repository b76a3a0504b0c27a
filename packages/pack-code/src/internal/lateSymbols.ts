/**
 * Loads the code for symbols with the first call, so that queries, thread, schemas and ranking do not slow down a
 * start.
 */
import * as Effect from "effect/Effect"
import type { rank as rankNow } from "./ranking.ts"
import type { packagesIn as packagesInNow } from "./workspacePackages.ts"
import type { findSymbols as gatherNow } from "./workspaceSymbols.ts"

const symbols = Effect.promise(() => import("./workspaceSymbols.ts"))

/** `gather` of `workspaceSymbols.ts`. */
export const gather: typeof gatherNow = Effect.fnUntraced(function* (path, contains) {
  const loaded = yield* symbols
  return yield* loaded.findSymbols(path, contains)
})

const packages = Effect.promise(() => import("./workspacePackages.ts"))

/** `packagesIn` of `workspacePackages.ts`. */
export const packagesIn: typeof packagesInNow = Effect.fnUntraced(function* (path) {
  const loaded = yield* packages
  return yield* loaded.packagesIn(path)
})

const loadRanking = Effect.promise(() => import("./ranking.ts"))

/** `rank` of `ranking.ts`. */
export const rank = (...parameters: Parameters<typeof rankNow>): Effect.Effect<ReturnType<typeof rankNow>> =>
  Effect.map(loadRanking, (loaded) => loaded.rank(...parameters))
