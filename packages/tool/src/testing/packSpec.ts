/** What every tool pack must do; call it once per pack. */
import type * as ToolPack from "../ToolPack.ts"
import { assert, it } from "@effect/vitest"
import { readdirSync } from "node:fs"

/** Beside the tools: the pack itself and what exports it. */
const isTool = (file: string): boolean => file.endsWith(".ts") && file !== "index.ts" && !file.endsWith("Pack.ts")

/** `ReadFile.ts` holds `read_file`. */
const toolOf = (file: string): string =>
  file
    .replace(".ts", "")
    .replaceAll(/(?!^)([A-Z])/g, "_$1")
    .toLowerCase()

/** `sources`: the folder that has a file for each tool and no others beside them. */
export const packSpec = (name: string, pack: ToolPack.Any, sources: URL): void => {
  it(`${name} holds a tool for every tool file`, () => {
    const tools = readdirSync(sources).filter(isTool).map(toolOf)
    assert.deepStrictEqual(Object.keys(pack.tools).toSorted(), tools.toSorted())
  })
}
