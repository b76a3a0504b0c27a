/**
 * `tools`: lists the compiled-in tools, as `tools list` does; parent of the commands that show one tool, count calls and
 * print declarations.
 */
import { entry, lazyEntry } from "../command-line/CommandSpec.ts"
import * as List from "./tools/List.ts"

export const command = {
  ...List.command,
  subcommands: [
    entry("list", "List every tool", List.command),
    lazyEntry(
      "show",
      "Show one tool: its JSON Schemas, tier, capabilities, and whether a call may be repeated",
      () => import("./tools/Show.ts")
    ),
    lazyEntry("stats", "Show call statistics by pack, tool and model, or by version", () => import("./tools/Stats.ts")),
    lazyEntry(
      "schema",
      "Print tool declarations in the format of a provider or protocol",
      () => import("./tools/Schema.ts")
    )
  ]
}
