/** The command tools. */
import { ToolPack } from "@bough/tool"
import { RunCommand } from "./RunCommand.ts"

export const all = ToolPack.named("shell", ToolPack.make(RunCommand))
