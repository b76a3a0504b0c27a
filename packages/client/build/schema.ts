/** Generates src/Schema.ts and the reference of the API again after a change of the API. */
import { writeFileSync } from "node:fs"
import { writeReference } from "../../gateway-api/build/writeReference.ts"
import { schemaText } from "./schemaText.ts"

writeReference()
writeFileSync(new URL("../src/Schema.ts", import.meta.url), await schemaText())
