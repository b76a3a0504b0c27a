/** The code that runs commands, loaded with the first command. */
import * as Effect from "effect/Effect"

export const execution = Effect.promise(() => import("../CommandExecution.ts"))
