/** Logins at MCP servers: a private file for each in the data directory, which agents cannot see. */
import type { Logins } from "@bough/mcp/ports"
import * as Canonical from "@bough/protocol/Canonical"
import { join } from "node:path"
import type { Settings } from "../config/Settings.ts"
import * as LoginFile from "../login/LoginFile.ts"

export const make = ({ dataDirectory }: Pick<Settings, "dataDirectory">): Logins => {
  const directory = join(dataDirectory, "mcp", "logins")
  return {
    command: (server) => `bough mcp login ${/^[\w.-]+$/u.test(server) ? server : JSON.stringify(server)}`,
    // Loaded with the first request: it needs Node's HTTP and TLS, which most starts never use.
    fetch: (server) => (to, init) =>
      import("./GuardedFetch.ts").then(({ make: guarded }) => guarded(URL.parse(server.url))(to, init)),
    store: ({ name, transport }) => {
      const url = transport._tag === "Http" ? transport.url : ""
      return LoginFile.make(directory, Canonical.digestOf({ name, url }).slice("sha256:".length))
    }
  }
}
