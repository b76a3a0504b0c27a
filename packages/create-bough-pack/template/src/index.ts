/** The tools of my-pack. */
import { ToolPack } from "@bough/tool"
import { CountWords } from "./CountWords.ts"

export const pack = ToolPack.named("my-pack", ToolPack.make(CountWords))
