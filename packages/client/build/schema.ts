/** Writes src/Schema.ts again after a change of the API. */
import { writeFileSync } from "node:fs"
import { schemaText } from "./schemaText.ts"

writeFileSync(new URL("../src/Schema.ts", import.meta.url), await schemaText())
