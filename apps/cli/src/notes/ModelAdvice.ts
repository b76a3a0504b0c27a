/** Suggests a real embedding model, once, to a user with many notes. */
import { Directory } from "@bough/disk"
import * as SmallFile from "@bough/disk/SmallFile"
import type { Settings } from "@bough/host/config/Settings"
import type { NoteStore } from "@bough/tool"
import * as Effect from "effect/Effect"
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import * as EmbeddingCheck from "../doctor/EmbeddingCheck.ts"
import type { Program } from "../Program.ts"

export const once = Effect.fnUntraced(function* (
  { name, output }: Program,
  settings: Settings,
  store: NoteStore.NoteStore["Service"]
) {
  const adviceFile = join(settings.dataDirectory, "memory", "model-advice")
  // Read first: the notes of a large memory take longer to count than to search.
  if (settings.memory.embeddingModel !== "static" || existsSync(adviceFile)) return
  const { user } = settings.environment
  const notes = (yield* store.users).find((one) => one.user === user)?.notes ?? 0
  const advice = EmbeddingCheck.advice(name, settings, notes)
  if (advice === null) return
  yield* Effect.sync(() => {
    Directory.make(dirname(adviceFile))
    SmallFile.replace(adviceFile, "given\n")
    output.note(advice)
  }).pipe(Effect.ignoreCause)
})
