/** Replaces a small file, and prints the result. Arguments: its path, and its number of letters. */
import * as Effect from "effect/Effect"
import { writeSync } from "node:fs"
import { SmallFile, SystemError } from "../../src/index.ts"

const [path = "", letters = "0"] = process.argv.slice(2)
const replaced = Effect.match(
  SystemError.attempt(() => SmallFile.replace(path, "n".repeat(Number(letters)))),
  {
    onFailure: ({ code }) => code,
    onSuccess: () => "replaced"
  }
)
writeSync(1, `${Effect.runSync(replaced)}\n`)
