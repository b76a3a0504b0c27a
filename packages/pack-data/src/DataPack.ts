/** Small data tools, variables and the plan. `readOnly` is for a Worker: nobody sees the plan of one. */
import { ToolPack } from "@bough/tool"
import { CurrentTime } from "./CurrentTime.ts"
import { DecodeBase64 } from "./DecodeBase64.ts"
import { EncodeBase64 } from "./EncodeBase64.ts"
import { FormatJson } from "./FormatJson.ts"
import { GetEnv } from "./GetEnv.ts"
import { ParseJson } from "./ParseJson.ts"
import { SetEnv } from "./SetEnv.ts"
import { Sleep } from "./Sleep.ts"
import { UpdatePlan } from "./UpdatePlan.ts"

/** What a Worker may hold. */
export const readOnly = ToolPack.named(
  "data",
  ToolPack.make(CurrentTime, Sleep, ParseJson, FormatJson, EncodeBase64, DecodeBase64)
)

/** With the variables and the plan: for a Main or a Branch. */
export const all = ToolPack.named("data", ToolPack.merge(readOnly, ToolPack.make(GetEnv, SetEnv, UpdatePlan)))
