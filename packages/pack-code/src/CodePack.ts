/** The code tools; all of them only read, so a Worker may hold them. */
import { ToolPack } from "@bough/tool"
import { FindSymbols } from "./FindSymbols.ts"
import { MapRepository } from "./MapRepository.ts"
import { OutlineFile } from "./OutlineFile.ts"

export const readOnly = ToolPack.named("code", ToolPack.make(FindSymbols, OutlineFile, MapRepository))

/** All tools, for a Main or a Branch. */
export const all = readOnly
