/** The flags of every command, before or after its name. */
import type * as Command from "effect/cli/Command"
import * as Shapes from "./Shapes.ts"

export const common = {
  cwd: Shapes.optionalText("cwd", "DIR", "Workspace directory; default: the current directory"),
  verbose: Shapes.toggle("verbose", "Show full error details and progress")
}

export type Common = Command.Command.Config.Infer<typeof common>
