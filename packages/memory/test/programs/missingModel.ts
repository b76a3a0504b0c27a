/** Asks a model that is missing, with nothing else to do, and prints why it does not answer. */
import * as Effect from "effect/Effect"
import { writeSync } from "node:fs"
import { Embedder } from "../../src/index.ts"

const model = { name: "x", module: "file:///nothing/here.js", options: null }

const { message } = await Effect.flatMap(Embedder.make(model), ({ embed }) => Effect.flip(embed(["x"]))).pipe(
  Effect.scoped,
  Effect.runPromise
)
writeSync(1, `${message}\n`)
