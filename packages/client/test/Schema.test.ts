/** The types of the client are those of the API. */
import { assert, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { schemaText } from "../build/schemaText.ts"

it("match the current API; if they do not, run node packages/client/build/schema.ts", async () => {
  assert.strictEqual(readFileSync(new URL("../src/Schema.ts", import.meta.url), "utf8"), await schemaText())
})
