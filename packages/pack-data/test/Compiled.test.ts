/** The compiled tools match their sources: the build writes them again, and this test finds a manual change. */
import { compile } from "@bough/tool-compiler"
import { assert, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const at = (file: string): string => fileURLToPath(new URL(`../${file}`, import.meta.url))

it("compiled tools match the compiler's output for their sources", () => {
  const { errors, outputs } = compile(at("tsconfig.json"), [at("src/EncodeBase64.ts"), at("src/DecodeBase64.ts")])
  assert.deepStrictEqual(errors, [])
  assert.deepStrictEqual([...outputs.keys()], [at("src/DecodeBase64.tools.ts"), at("src/EncodeBase64.tools.ts")])
  for (const [file, text] of outputs) assert.strictEqual(readFileSync(file, "utf8"), text)
})
