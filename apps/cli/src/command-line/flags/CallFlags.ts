/** The flags of commands that describe one call of a tool. */
import * as SessionFlags from "./SessionFlags.ts"
import * as Shapes from "./Shapes.ts"

export const tool = Shapes.nameArgument("TOOL", "Tool name, as listed by `tools list`")

export const call = {
  tool,
  arguments: Shapes.argument("JSON", "Arguments as a JSON object; - reads them from stdin"),
  kind: SessionFlags.kind,
  approve: SessionFlags.approve,
  allow: SessionFlags.allow,
  addDir: SessionFlags.addDir
}
