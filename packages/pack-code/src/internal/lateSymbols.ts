/** Loads what reads symbols with the first call: its queries and its thread are no part of a start. */
import * as Effect from "effect/Effect"
import type { gather as gatherNow } from "./workspaceSymbols.ts"

const symbols = Effect.promise(() => import("./workspaceSymbols.ts"))

/** `gather` of `workspaceSymbols.ts`. */
export const gather: typeof gatherNow = Effect.fnUntraced(function* (path, contains) {
  const loaded = yield* symbols
  return yield* loaded.gather(path, contains)
})
