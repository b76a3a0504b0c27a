/** The test that a pack of this repository holds a tool for every file of a tool. */
import type * as ToolPack from "../ToolPack.ts"
import { assert, it } from "@effect/vitest"
import { readdirSync } from "node:fs"

/** True for the file of a tool: all files except for the pack, the index, and generated ones. */
const isTool = (file: string): boolean =>
  file.endsWith(".ts") && file !== "index.ts" && !file.endsWith("Pack.ts") && !file.endsWith(".tools.ts")

/** `ReadFile.ts` holds `read_file`. */
const toolOf = (file: string): string =>
  file
    .replace(".ts", "")
    .replaceAll(/(?!^)([A-Z])/g, "_$1")
    .toLowerCase()

/** `sources`: the folder that has a file for each tool and no others beside them. */
export const packFilesSpec = (name: string, pack: ToolPack.Any, sources: URL): void => {
  it(`${name} holds a tool for every tool file`, () => {
    const tools = readdirSync(sources).filter(isTool).map(toolOf)
    assert.deepStrictEqual(Object.keys(pack.tools).toSorted(), tools.toSorted())
  })
}
