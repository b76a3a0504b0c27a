/** Small data tools, variables and the plan. `readOnly` is for a Worker, whose plan would not be shown. */
import { ToolPack } from "@bough/tool"
import { CurrentTime } from "./CurrentTime.ts"
import { DecodeBase64 } from "./DecodeBase64.tools.ts"
import { EncodeBase64 } from "./EncodeBase64.tools.ts"
import { FormatJson } from "./FormatJson.ts"
import { GetEnv } from "./GetEnv.ts"
import { ParseJson } from "./ParseJson.ts"
import { SetEnv } from "./SetEnv.ts"
import { Sleep } from "./Sleep.ts"
import { UpdatePlan } from "./UpdatePlan.ts"

/** The tools that a Worker may have. */
export const readOnly = ToolPack.named(
  "data",
  ToolPack.make(CurrentTime, Sleep, ParseJson, FormatJson, EncodeBase64, DecodeBase64)
)

/** All tools, for a Main or a Branch, including variables and the plan. */
export const all = ToolPack.named("data", ToolPack.merge(readOnly, ToolPack.make(GetEnv, SetEnv, UpdatePlan)))
