/** `vault`: lists the entries, as `vault list` does; parent of the commands that change and copy entries. */
import { command as declare, entry, lazyEntry } from "../command-line/CommandSpec.ts"
import * as List from "./vault/List.ts"

export const command = declare({
  description:
    "List your secrets and private files by name. Agents can put them into files and variables with your approval, and never see them",
  parameters: List.parameters,
  run: List.list,
  subcommands: [
    entry("list", "List the entries by name; values are never shown", List.command),
    lazyEntry("set", "Save a value from stdin or from a hidden prompt", () => import("./vault/Set.ts")),
    lazyEntry("remove", "Delete an entry", () => import("./vault/Remove.ts")),
    lazyEntry("copy", "Write an entry to a new file of this folder", () => import("./vault/Copy.ts"))
  ]
})
