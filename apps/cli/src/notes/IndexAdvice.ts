/** Suggests the library of the index, once, when the memory is large enough for one. */
import { Directory } from "@bough/disk"
import * as SmallFile from "@bough/disk/SmallFile"
import type { Settings } from "@bough/host/config/Settings"
import type { NoteStore } from "@bough/tool"
import * as Effect from "effect/Effect"
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import * as IndexCheck from "../doctor/IndexCheck.ts"
import type { Program } from "../Program.ts"

export interface AdviceOptions {
  readonly store: Pick<NoteStore.NoteStore["Service"], "counters">
  readonly say: (sentence: string) => void
  /** Default: looks for the library on this machine. */
  readonly factsOf?: typeof IndexCheck.factsOf
}

/** Prints the advice, but only once for a memory. */
export const once = Effect.fnUntraced(function* (
  { name }: Pick<Program, "name">,
  settings: Pick<Settings, "dataDirectory" | "memory">,
  { factsOf = IndexCheck.factsOf, say, store }: AdviceOptions
) {
  const adviceFile = join(settings.dataDirectory, "memory", "index-advice")
  const { dropped, written } = yield* store.counters
  const advice = IndexCheck.advice(name, factsOf(settings, written - dropped))
  if (advice === null || existsSync(adviceFile)) return
  yield* Effect.sync(() => {
    Directory.make(dirname(adviceFile))
    SmallFile.replace(adviceFile, "given\n")
    say(advice)
  }).pipe(Effect.ignoreCause)
})
