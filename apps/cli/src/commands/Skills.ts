/** `skills`: lists the skills that are found here, as `skills list` does; parent of the command that shows one. */
import { command as declare, entry, lazyEntry } from "../command-line/CommandSpec.ts"
import * as List from "./skills/List.ts"

export const command = declare({
  description:
    "List the skills that are found: folders with a SKILL.md below ~/.config/bough/skills, and below .bough/skills, .agents/skills and .claude/skills of the project",
  parameters: List.parameters,
  run: List.list,
  subcommands: [
    entry("list", "List every skill, its origin, and whether it is used", List.command),
    lazyEntry("show", "Show one skill: its instructions and its files", () => import("./skills/Show.ts"))
  ]
})
