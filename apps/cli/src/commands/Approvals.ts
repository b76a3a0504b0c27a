/** `approvals`: lists the pending approvals, as `approvals list` does; parent of the commands on one approval. */
import { entry, lazyEntry } from "../command-line/CommandSpec.ts"
import * as List from "./approvals/List.ts"

export const command = {
  ...List.command,
  subcommands: [
    entry("list", "List pending approvals, oldest first", List.command),
    lazyEntry("show", "Show one approval: what it covers and its outcome", () => import("./approvals/Show.ts")),
    lazyEntry("approve", "Show one approval, and approve it in a terminal", () => import("./approvals/Approve.ts")),
    lazyEntry("deny", "Show one approval, and deny it in a terminal", () => import("./approvals/Deny.ts"))
  ]
}
