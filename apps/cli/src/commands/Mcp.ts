/** `mcp`: lists the configured servers, as `mcp list` does; parent of the commands for logins and for serving the tools of this folder. */
import { command as declare, entry, lazyEntry } from "../command-line/CommandSpec.ts"
import * as List from "./mcp/List.ts"

export const command = declare({
  description:
    "List the MCP servers named in your configuration and in this folder's trusted .mcp.json, and serve the tools of this folder to MCP clients",
  parameters: List.parameters,
  run: List.list,
  subcommands: [
    entry("list", "Connect each configured server, and list its state and tools", List.command),
    lazyEntry("login", "Log in at a server by OAuth, in your browser", () => import("./mcp/Login.ts")),
    lazyEntry("logout", "Forget the login at a server, and revoke its tokens", () => import("./mcp/Logout.ts")),
    lazyEntry("serve", "Offer the tools of this folder to a client of the protocol", () => import("./mcp/Serve.ts"))
  ]
})
