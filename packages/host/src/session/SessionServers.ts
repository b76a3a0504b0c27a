/** The servers of one session and all below it: processes in its sandbox, requests, and what is remembered of them. */
import { Directory, SmallFile } from "@bough/disk"
import { type Ports, type ServerConfig, ServerFailed, type Servers } from "@bough/mcp/ports"
import type { Session } from "@bough/protocol"
import { CommandInput, type Sandbox } from "@bough/sandbox"
import type { ToolContext } from "@bough/tool"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import { join } from "node:path"
import type { Settings } from "../config/Settings.ts"
import * as SessionCapabilities from "./SessionCapabilities.ts"

/** The servers of the sessions of a tree; null: none are configured. */
export const Current = Context.Reference<Servers.Servers | null>("@bough/host/McpServers", {
  defaultValue: () => null
})

/** Begins to connect, until the scope closes. Nothing of the client is loaded where no server is configured. */
export const make = Effect.fnUntraced(function* (settings: Settings, onNotice: (sentence: string) => void) {
  const { servers } = settings.mcp
  if (servers.length === 0) return null
  const { Servers } = yield* Effect.promise(() => import("@bough/mcp"))
  const sandbox = yield* SessionCapabilities.sandbox(settings)
  return yield* Servers.make({
    servers,
    workspaceRoot: settings.workspaceRoot,
    ports: { start: starter(settings, sandbox), memory: memoryOf(settings), onNotice }
  })
})

/** The tools of the servers that a session of this kind may call: a Worker those that only read. */
export const liveTools = (servers: Servers.Servers, kind: Session.Kind) => ({
  revision: servers.revision,
  tools: () =>
    kind === "Worker" ? new Map([...servers.tools()].filter(([, { tier }]) => tier === "ReadOnly")) : servers.tools()
})

const starter =
  (settings: Settings, sandbox: Sandbox.Sandbox): Ports["start"] =>
  (transport, { onEnd, onOutput }) =>
    Effect.gen(function* () {
      const { args, command, cwd, env, isUnconfined, limits } = transport
      if (isUnconfined && settings.commands.confinedOnly === true) {
        return yield* new ServerFailed({ message: "servers run in the sandbox alone here" })
      }
      const input = CommandInput.make()
      const { additionalDirectories, repositoryRoot: repository, workspaceRoot: root } = settings
      const run = sandbox.service({ root, repository, additionalDirectories, writable: true })({
        argv: [command, ...args],
        ...(cwd === undefined ? {} : { cwd }),
        variables: env,
        limits: {
          dataBytes: limits.memoryBytes ?? null,
          cpuSeconds: limits.cpuSeconds ?? null,
          openFiles: limits.openFiles ?? null,
          processes: limits.processes ?? null
        },
        admit: admitOf(transport),
        isUnconfined,
        input,
        onOutput: (stream, text) => Effect.sync(() => onOutput(stream, text))
      })
      yield* Effect.forkScoped(Effect.onExit(run, (exit) => Effect.sync(() => onEnd(endOf(exit)))))
      return { write: (text: string) => void CommandInput.write(input, text, false) }
    })

const endOf = (
  exit: Exit.Exit<{ readonly exitCode: number | null; readonly signal: string | null }, Error>
): string => {
  if (Exit.isSuccess(exit)) {
    const { exitCode, signal } = exit.value
    return exitCode === null
      ? `its process ended by ${signal ?? "a signal"}`
      : `its process ended with exit code ${exitCode}`
  }
  const failure = Cause.squash(exit.cause)
  return failure instanceof Error && failure.message !== "" ? failure.message : "its process was stopped"
}

/** Null: the process reaches no host. */
const admitOf = ({ network }: ServerConfig.StdioTransport): ToolContext.AdmitHost | null => {
  if (network === false) return null
  if (network === true) return () => Effect.succeed(null)
  const hosts = new Set(network.map((host) => host.toLowerCase()))
  return ({ host, port }) =>
    Effect.succeed(
      hosts.has(host) || hosts.has(`${host}:${port}`) ? null : `${host} is not in the network list of this MCP server`
    )
}

/** A file for each server in the data directory. What cannot be written is asked of the server again. */
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
