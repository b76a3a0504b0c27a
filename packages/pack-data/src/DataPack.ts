/** Small data tools and the plan. `readOnly` is what a Worker may hold: nobody sees a Worker's plan. */
import { ToolPack } from "@bough/tool"
import { CurrentTime } from "./CurrentTime.ts"
import { DecodeBase64 } from "./DecodeBase64.ts"
import { EncodeBase64 } from "./EncodeBase64.ts"
import { FormatJson } from "./FormatJson.ts"
import { ParseJson } from "./ParseJson.ts"
import { Sleep } from "./Sleep.ts"
import { UpdatePlan } from "./UpdatePlan.ts"

export const readOnly = ToolPack.make(CurrentTime, Sleep, ParseJson, FormatJson, EncodeBase64, DecodeBase64)

export const all = ToolPack.merge(readOnly, ToolPack.make(UpdatePlan))
