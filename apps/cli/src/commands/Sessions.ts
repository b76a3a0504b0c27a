/** `sessions`: lists the sessions of this workspace, as `sessions list` does; parent of the commands on one session. */
import { entry, lazyEntry } from "../command-line/CommandSpec.ts"
import * as List from "./sessions/List.ts"

export const command = {
  ...List.command,
  subcommands: [
    entry("list", "List sessions, newest first", List.command),
    lazyEntry("search", "Find conversations by what was said in them", () => import("./sessions/Search.ts")),
    lazyEntry("show", "Show every entry of a session", () => import("./sessions/Show.ts")),
    lazyEntry(
      "fork",
      "Start a new session from another session's entries, and print its id",
      () => import("./sessions/Fork.ts")
    ),
    lazyEntry(
      "export",
      "Print every entry as one line of JSON, or write files that can be verified elsewhere",
      () => import("./sessions/Export.ts")
    ),
    lazyEntry(
      "share",
      "Show a summary of a conversation, ask, and upload it as a secret gist",
      () => import("./sessions/Share.ts")
    ),
    lazyEntry("rm", "Delete a conversation with all its sessions", () => import("./sessions/Remove.ts"))
  ]
}
