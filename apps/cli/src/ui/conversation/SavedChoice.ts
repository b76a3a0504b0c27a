/** Saves choices in the user's configuration for later conversations. */
import type { ConfigValue } from "@bough/host/config/SaveConfigValues"
import * as Effect from "effect/Effect"
import type { Program } from "../../Program.ts"

// Loaded when there is a value to save: it includes the code that reads and changes configuration files.
const loaded = Effect.promise(() => import("@bough/host/config/SaveConfigValues"))

/**
 * Saves the values, and returns a note: the file, or that the choice applies to this conversation only, because saving
 * failed, there is nothing to save, or no user is at the terminal to whom the configuration belongs.
 */
export const save = (program: Program, values: ReadonlyArray<ConfigValue>): Effect.Effect<string> =>
  program.terminal.isInteractive && values.length > 0
    ? Effect.flatMap(loaded, ({ saveValues }) => saveValues(program, values)).pipe(
        Effect.map((file) => `saved in ${file}`),
        Effect.catch(({ message }) => Effect.succeed(`this conversation only: ${message}`))
      )
    : Effect.succeed("this conversation only")
