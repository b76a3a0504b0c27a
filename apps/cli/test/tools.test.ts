/** `tools schema`: the declarations for other systems, from the built program. */
import { registryOf } from "@bough/host/session/KindTools"
import { ToolFormat } from "@bough/tool-formats"
import { assert, describe, it } from "@effect/vitest"
import * as Packs from "../src/Packs.ts"
import { withTestFolder } from "./program/Bough.ts"
import { bough } from "./program/InProcess.ts"

const registry = registryOf(Packs)

describe("bough tools schema", () => {
  it("prints the tools' own declarations in every format", () =>
    withTestFolder(async (place) => {
      for (const format of ToolFormat.formats) {
        const { code, stderr, stdout } = await bough(place, ["tools", "schema", "--for", format])
        assert.deepStrictEqual([code, stderr], [0, ""], format)
        const whole = ToolFormat.print(format, [...registry.values()])
        if (format === "harmony") assert.strictEqual(stdout, whole)
        else assert.deepStrictEqual(JSON.parse(stdout), JSON.parse(whole), format)
      }
    }))

  it("prints only the named tools, in that order, each once", () =>
    withTestFolder(async (place) => {
      const args = ["tools", "schema", "--for", "anthropic", "write_file", "read_file", "write_file"]
      const parsed = JSON.parse((await bough(place, args)).stdout) as ReadonlyArray<{ readonly name: string }>
      assert.deepStrictEqual(
        parsed.map(({ name }) => name),
        ["write_file", "read_file"]
      )
    }))

  it("lists the formats, and suggests the nearest tool", () =>
    withTestFolder(async (place) => {
      const noFormat = await bough(place, ["tools", "schema"])
      assert.deepStrictEqual([noFormat.code, noFormat.stdout], [2, ""])
      assert.match(noFormat.stderr, /^bough: --for is required — /)
      const unknown = await bough(place, ["tools", "schema", "--for", "somebody"])
      assert.strictEqual(unknown.code, 2)
      assert.match(unknown.stderr, /^bough: --for cannot be "somebody": .*openai-chat.*harmony/)
      const misspelt = await bough(place, ["tools", "schema", "--for", "mcp", "reed_file"])
      assert.deepStrictEqual([misspelt.code, misspelt.stdout], [2, ""])
      assert.match(misspelt.stderr, /unknown tool "reed_file"; did you mean read_file\? — /)
    }))
})
