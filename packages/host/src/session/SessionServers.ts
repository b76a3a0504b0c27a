/**
 * The servers of one session and its descendants: their processes in the sandbox, their requests, and cached facts
 * about them.
 */
import { Directory, SmallFile } from "@bough/disk"
import type { Ports, Servers } from "@bough/mcp/ports"
import type { Session } from "@bough/protocol"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { join } from "node:path"
import type { Settings } from "../config/Settings.ts"
import * as ServerLogins from "./ServerLogins.ts"
import * as SessionCapabilities from "./SessionCapabilities.ts"
import * as SessionProcesses from "./SessionProcesses.ts"

/** The servers of the sessions of a tree; null: none are configured. */
export const Current = Context.Reference<Servers.Servers | null>("@bough/host/McpServers", {
  defaultValue: () => null
})

/** The part of the user interface that servers can use. */
type Users = Pick<Ports, "elicit" | "onNotice">

/** Starts to connect, until the scope closes. The client is not loaded if no server is configured. */
export const make = Effect.fnUntraced(function* (settings: Settings, { elicit, onNotice }: Users) {
  const { servers } = settings.servers.mcp
  if (servers.length === 0) return null
  const { Servers } = yield* Effect.promise(() => import("@bough/mcp"))
  const start = SessionProcesses.starter(
    settings,
    yield* Effect.cached(SessionCapabilities.sandbox(settings)),
    "MCP server"
  )
  return yield* Servers.make({
    servers,
    workspaceRoot: settings.workspace.root,
    ports: {
      start,
      logins: ServerLogins.make(settings),
      memory: memoryOf(settings),
      onNotice,
      ...(elicit === undefined ? {} : { elicit })
    }
  })
})

/** The tools of servers that a session of this kind may call; a Worker may call those that only read. */
export const liveTools = (servers: Servers.Servers, kind: Session.Kind) => ({
  revision: servers.revision,
  tools: () =>
    kind === "Worker" ? new Map([...servers.tools()].filter(([, { tier }]) => tier === "ReadOnly")) : servers.tools()
})

/**
 * Caches facts about each server in a file of the data directory. If the file cannot be written, the server is asked
 * again next time.
 */
const memoryOf = ({ dataDirectory }: Settings): Ports["memory"] => {
  const directory = join(dataDirectory, "mcp")
  const fileOf = (key: string): string => join(directory, `${key.replaceAll(/[^0-9a-z]/gu, "")}.json`)
  return {
    recall: (key) =>
      Result.getOrElse(
        Result.try(() => SmallFile.read(fileOf(key))),
        () => null
      ),
    remember: (key, text) =>
      void Result.try(() => {
        Directory.make(directory)
        SmallFile.replace(fileOf(key), text)
      })
  }
}
