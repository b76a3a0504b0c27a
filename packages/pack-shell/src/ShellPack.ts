/** The command tools. */
import { ToolPack } from "@bough/tool"
import { ReadCommandOutput } from "./ReadCommandOutput.ts"
import { RunCommand } from "./RunCommand.ts"
import { StartCommand } from "./StartCommand.ts"
import { StopCommand } from "./StopCommand.ts"
import { WriteCommandInput } from "./WriteCommandInput.ts"

/** All tools, for a Main or a Branch. */
export const all = ToolPack.named(
  "shell",
  ToolPack.make(RunCommand, StartCommand, ReadCommandOutput, WriteCommandInput, StopCommand)
)
