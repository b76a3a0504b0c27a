/** What reads configuration files. Loaded when there is one to read: most starts have none. */
import * as Effect from "effect/Effect"
import { withHint } from "../CliFailure.ts"

export const reader = Effect.promise(async () => {
  const [{ read }, schema] = await Promise.all([import("./ConfigFile.ts"), import("./ConfigSchema.ts")])
  const hinted: typeof read = (source, reading) =>
    Effect.mapError(read(source, reading), (error) => withHint(error, "bough config schema shows every key"))
  return { read: hinted, schema }
})
