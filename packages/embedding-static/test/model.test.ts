/** The model as it is shipped: small, loadable by transformers.js offline, and with an idea of what words mean. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, globSync, statSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { dimension, folder } from "../src/index.ts"

const path = fileURLToPath(folder)

describe("embedding-static", () => {
  it("is under 6 MB, with its licence beside it", () => {
    const bytes = globSync("**/*.*", { cwd: path }).reduce((sum, file) => sum + statSync(path + file).size, 0)
    assert.isAbove(bytes, 4_000_000)
    assert.isBelow(bytes, 6_000_000)
    assert.isTrue(existsSync(`${path}../NOTICE.md`))
  })

  it("has as many numbers a word as it says", () => {
    // Rows of one byte a number, and a scale of four bytes a row.
    const words = 40_001
    const size = statSync(`${path}onnx/model.onnx`).size
    assert.isAtLeast(size, words * (dimension + 4))
    assert.isBelow(size, words * (dimension + 4) + 1000)
  })
})
