/** Small data tools. */
import { ToolPack } from "@bough/tool"
import { CurrentTime } from "./CurrentTime.ts"

export const all = ToolPack.make(CurrentTime)
