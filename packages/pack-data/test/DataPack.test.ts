import { assert, it } from "@effect/vitest"
import { readdirSync } from "node:fs"
import { DataPack } from "../src/index.ts"

it("DataPack holds a tool for every tool file", () => {
  const files = readdirSync(new URL("../src/", import.meta.url)).filter(
    (file) => file.endsWith(".ts") && file !== "index.ts" && !file.endsWith("Pack.ts")
  )
  const named = files.map((file) =>
    file
      .replace(".ts", "")
      .replaceAll(/(?!^)([A-Z])/g, "_$1")
      .toLowerCase()
  )
  assert.deepStrictEqual(Object.keys(DataPack.all.tools).toSorted(), named.toSorted())
})
