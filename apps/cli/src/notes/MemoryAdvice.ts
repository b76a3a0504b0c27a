/** Suggests, once each, a real embedding model to a user with many notes, and the index to one with very many. */
import { Directory } from "@bough/disk"
import * as SmallFile from "@bough/disk/SmallFile"
import type { Settings } from "@bough/host/config/Settings"
import type { NoteStore } from "@bough/tool"
import * as Effect from "effect/Effect"
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import * as EmbeddingCheck from "../doctor/EmbeddingCheck.ts"
import * as IndexCheck from "../doctor/IndexCheck.ts"
import type { Program } from "../Program.ts"

type Store = NoteStore.NoteStore["Service"]

/** Prints the advice unless it was given before. */
const tell = (
  { output }: Program,
  told: string,
  advice: Effect.Effect<string | null, NoteStore.NoteStoreFailed>
): Effect.Effect<void, NoteStore.NoteStoreFailed> =>
  // Read first: the notes of a large memory take longer to count than to search.
  existsSync(told)
    ? Effect.void
    : Effect.flatMap(advice, (text) =>
        text === null
          ? Effect.void
          : Effect.sync(() => {
              Directory.make(dirname(told))
              SmallFile.replace(told, "given\n")
              output.note(text)
            }).pipe(Effect.ignoreCause)
      )

const modelAdvice = ({ name }: Program, settings: Settings, store: Store) =>
  settings.embeddingModel === "static"
    ? Effect.map(store.users, (users) => {
        const own = users.find(({ user }) => user === settings.environment.user)?.notes ?? 0
        return EmbeddingCheck.advice(name, settings, own)
      })
    : Effect.succeed(null)

const indexAdvice = ({ name }: Program, settings: Settings, store: Store) =>
  Effect.map(store.counters, ({ dropped, written }) =>
    IndexCheck.advice(name, IndexCheck.factsOf(settings, written - dropped))
  )

export const once = (program: Program, settings: Settings, store: Store) => {
  const folder = join(settings.dataDirectory, "memory")
  return Effect.andThen(
    tell(program, join(folder, "model-advice"), modelAdvice(program, settings, store)),
    tell(program, join(folder, "index-advice"), indexAdvice(program, settings, store))
  )
}
