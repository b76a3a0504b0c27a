/** Tests of the tokens that results cost a model, by the function of the benchmark `tokens`. */
import { assert, it } from "@effect/vitest"
import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { maxRatio, tokenCosts } from "../bench/src/Tokens.ts"
import { thoroughOnly } from "./thorough.ts"

it("seven common results cost a model at most a tenth more than plain text", thoroughOnly, async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "bough-tokens-")))
  try {
    const costs = await tokenCosts(folder)
    assert.lengthOf(costs, 7)
    for (const { label, ratio, shown } of costs) assert.isAtMost(ratio, maxRatio, `${label}:\n${shown.slice(0, 500)}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
