/** The flags of commands that print a list. */
import * as Flag from "effect/cli/Flag"
import * as Shapes from "./Shapes.ts"

export const format = Flag.Literals("format", ["text", "json"]).pipe(
  Flag.withDescription("Output format"),
  Flag.withDefault("text" as const)
)

export type ListFormat = "text" | "json"

export const all = Shapes.toggle("all", "Include all workspaces")

export const sessionId = Shapes.nameArgument("ID", "Session id or its prefix, as listed by `sessions list`")
