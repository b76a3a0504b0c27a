/** The test that a pack of this repository has one file for every tool. */
import { assert, it } from "@effect/vitest"
import { readdirSync } from "node:fs"
import type * as ToolPack from "../ToolPack.ts"

/** True for the file of a tool: all files except for the pack, the index, and generated ones. */
const isTool = (file: string): boolean =>
  file.endsWith(".ts") && file !== "index.ts" && !file.endsWith("Pack.ts") && !file.endsWith(".tools.ts")

/** Returns `read_file` for `ReadFile.ts`. */
const toolOf = (file: string): string =>
  file
    .replace(".ts", "")
    .replaceAll(/(?!^)([A-Z])/g, "_$1")
    .toLowerCase()

/** `sources`: the folder with one file for each tool. */
export const packFilesSpec = (name: string, pack: ToolPack.Any, sources: URL): void => {
  it(`${name} holds a tool for every tool file`, () => {
    const tools = readdirSync(sources).filter(isTool).map(toolOf)
    assert.deepStrictEqual(Object.keys(pack.tools).toSorted(), tools.toSorted())
  })
}
