/** The flags of every command, before or after its name. */
import type * as Command from "effect/cli/Command"
import * as Shapes from "./Shapes.ts"

export const common = {
  cwd: Shapes.optionalText("cwd", "DIR", "Workspace directory; default: the current directory"),
  packs: Shapes.optionalText("packs", "FILE", "Run with the packs of FILE, such as bough.packs.ts"),
  verbose: Shapes.toggle("verbose", "Show full error details and progress")
}

export type Common = Command.Command.Config.Infer<typeof common>
