/** Logins at MCP servers: a private file for each in the data directory, which agents cannot see. */
import { Directory, SmallFile } from "@bough/disk"
import type { Logins } from "@bough/mcp/ports"
import * as Canonical from "@bough/protocol/Canonical"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { join } from "node:path"
import type { Settings } from "../config/Settings.ts"

/** A request to an authorization server takes 20 seconds at most. */
const lockMillis = 30_000

export const make = ({ dataDirectory }: Pick<Settings, "dataDirectory">): Logins => {
  const directory = join(dataDirectory, "mcp", "logins")
  return {
    command: (server) => `bough mcp login ${/^[\w.-]+$/u.test(server) ? server : JSON.stringify(server)}`,
    // Loaded with the first request: it needs Node's HTTP and TLS, which most starts never use.
    fetch: (server) => (to, init) =>
      import("./GuardedFetch.ts").then(({ make: guarded }) => guarded(URL.parse(server.url))(to, init)),
    store: ({ name, transport }) => {
      const url = transport._tag === "Http" ? transport.url : ""
      const digest = Canonical.digestOf({ name, url }).slice("sha256:".length)
      const file = join(directory, `${digest}.json`)
      return {
        load: () =>
          Result.getOrElse(
            Result.try(() => SmallFile.read(file)),
            () => null
          ),
        // If the lock is not free after half a minute, the token is refreshed without it.
        exclusively: (work) =>
          Effect.gen(function* () {
            const { withLock } = yield* Effect.promise(() => import("@bough/disk/ProcessLock"))
            const valued = Effect.map(work, (value) => ({ value }))
            const lock = withLock(join(directory, `${digest}.lock`), lockMillis, valued)
            const done = yield* Effect.orElseSucceed(lock, () => null)
            return done === null ? yield* work : done.value
          }),
        save: (text) => {
          Directory.makePrivate(directory)
          SmallFile.replace(file, text)
        }
      }
    }
  }
}
