/** The command tools. */
import { ToolPack } from "@bough/tool"
import { RunCommand } from "./RunCommand.ts"

/** For a Main or a Branch. */
export const all = ToolPack.named("shell", ToolPack.make(RunCommand))
