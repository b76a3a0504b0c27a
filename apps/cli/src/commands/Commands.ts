/** The commands of `bough`, in the order of its help. Each command is a file in this folder and a line below. */
import { entry, lazyEntry } from "../command-line/CommandSpec.ts"
import * as Run from "./Run.ts"

export const commands = [
  entry("run", "Run one prompt and print the answer", Run.command),
  lazyEntry("call", "Run one tool and print its result envelope, also on failure", () => import("./Call.ts")),
  lazyEntry("send", "Send a message to a session that is open elsewhere", () => import("./Send.ts")),
  lazyEntry("tools", "List the tools that are compiled in", () => import("./Tools.ts")),
  lazyEntry("skills", "List the skills that are found here", () => import("./Skills.ts")),
  lazyEntry("agents", "List the agents that a session can use", () => import("./Agents.ts")),
  lazyEntry("mcp", "List MCP servers, and serve the tools of this folder", () => import("./Mcp.ts")),
  lazyEntry("acp", "Serve a code editor over the Agent Client Protocol", () => import("./Acp.ts")),
  lazyEntry("sessions", "List and manage the sessions of this workspace", () => import("./Sessions.ts")),
  lazyEntry(
    "approvals",
    "List and decide the pending approvals of all conversations on this machine",
    () => import("./Approvals.ts")
  ),
  lazyEntry(
    "policy",
    "List and test the rules of this folder, from the configuration and from approvals",
    () => import("./Policy.ts")
  ),
  lazyEntry("login", "Log in at a model provider, or save its API key", () => import("./Login.ts")),
  lazyEntry("logout", "End the login at a model provider, or delete its API key", () => import("./Logout.ts")),
  lazyEntry("vault", "List and manage your secrets, which agents use without seeing them", () => import("./Vault.ts")),
  lazyEntry("undo", "Restore files to their state before a turn of a session", () => import("./Undo.ts")),
  lazyEntry("redo", "Revert the last undo of a session", () => import("./Redo.ts")),
  lazyEntry("diff", "Show the changes that an undo would revert", () => import("./Diff.ts")),
  lazyEntry("tree", "Show the sessions of one conversation", () => import("./Tree.ts")),
  lazyEntry("memory", "Search and manage the notes that are remembered about you", () => import("./Memory.ts")),
  lazyEntry(
    "verify",
    "Verify a session or an export against its digests and receipts; report the first mismatch",
    () => import("./Verify.ts")
  ),
  lazyEntry(
    "replay",
    "Rerun the calls of a session that are safe to repeat, and compare the results",
    () => import("./Replay.ts")
  ),
  lazyEntry("stats", "Show call statistics per tool and model", () => import("./Stats.ts")),
  lazyEntry("log", "List calls, one per line: time, tool, outcome, approver, session", () => import("./Log.ts")),
  lazyEntry("config", "Show and change the configuration", () => import("./Config.ts")),
  lazyEntry("build", "Build a program with your own packs", () => import("./Build.ts")),
  lazyEntry("doctor", "Check what the program needs, and suggest fixes", () => import("./Doctor.ts"))
]
