/** Writes the list of keys in `docs/configuration.md`: pnpm exec node --conditions development apps/cli/build/configuration.ts. */
import { readFileSync, writeFileSync } from "node:fs"
import { renewed } from "./configurationText.ts"

const file = new URL("../../../docs/configuration.md", import.meta.url)

writeFileSync(file, renewed(readFileSync(file, "utf8")))
