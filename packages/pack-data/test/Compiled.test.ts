/** The compiled tools are those of their sources: the build writes them again, and a change by hand is found here. */
import { compile } from "@bough/tool-compiler"
import { assert, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const at = (file: string): string => fileURLToPath(new URL(`../${file}`, import.meta.url))

it("compiled tools are what the compiler makes of their sources", () => {
  const { errors, outputs } = compile(at("tsconfig.json"), [at("src/EncodeBase64.ts"), at("src/DecodeBase64.ts")])
  assert.deepStrictEqual(errors, [])
  assert.deepStrictEqual([...outputs.keys()], [at("src/DecodeBase64.tools.ts"), at("src/EncodeBase64.tools.ts")])
  for (const [file, text] of outputs) assert.strictEqual(readFileSync(file, "utf8"), text)
})
