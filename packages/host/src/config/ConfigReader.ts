/** Loads the reader of configuration files if there is a file to read: most starts have none. */
import * as Effect from "effect/Effect"
import { withNextStep } from "../HostFailure.ts"

const load = Effect.promise(() => Promise.all([import("./ConfigFile.ts"), import("./ConfigSchema.ts")]))

export const reader = Effect.map(load, ([{ read }, schema]) => {
  const readWithHint: typeof read = (source, reading) =>
    Effect.mapError(read(source, reading), (error) => withNextStep(error, "ListConfigurationKeys"))
  return { read: readWithHint, schema }
})
