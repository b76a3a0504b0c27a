/** The servers of the operator's configuration and of a trusted `.mcp.json`, in the client's form. */
import type { ServerConfig } from "@bough/mcp"
import type { Server } from "./McpConfigSchema.ts"

/** A configured server that is not used. */
export interface UnusedServer {
  readonly name: string
  readonly from: string
  readonly why: string
  /** True: it is switched off; false: it is invalid. */
  readonly isOff: boolean
}

export interface McpSettings {
  readonly servers: ReadonlyArray<ServerConfig.ServerConfig>
  readonly unused: ReadonlyArray<UnusedServer>
}

export const none: McpSettings = { servers: [], unused: [] }

/** The part of a server that a project may configure. */
export type ProjectServer = Pick<Server, "args" | "command" | "cwd" | "env" | "headers" | "type" | "url">

export interface ConfiguredServers {
  readonly operator: Readonly<Record<string, Server>>
  readonly project: Readonly<Record<string, ProjectServer>>
}

const ownFile = "your configuration"
/** The name of the project's file. */
export const projectFile = ".mcp.json"

/**
 * Merges the servers: the operator's values take precedence; without a program or a URL they only extend the project's
 * server.
 */
export const toSettings = ({ operator, project }: ConfiguredServers): McpSettings => {
  const names = [...new Set([...Object.keys(project), ...Object.keys(operator)])].toSorted()
  const read = names.map((name) => {
    const operatorServer = Object.hasOwn(operator, name) ? operator[name] : {}
    const isOwn = operatorServer.command !== undefined || operatorServer.url !== undefined
    const projectServer = !isOwn && Object.hasOwn(project, name) ? project[name] : {}
    const from = isOwn || !Object.hasOwn(project, name) ? ownFile : projectFile
    return toServer({ name, from, server: { ...projectServer, ...operatorServer } })
  })
  return {
    servers: read.flatMap((one) => ("transport" in one ? [one] : [])),
    unused: read.flatMap((one) => ("why" in one ? [one] : []))
  }
}

/** Makes sentences for the user about invalid servers. */
export const notices = ({ unused }: McpSettings): ReadonlyArray<string> =>
  unused.flatMap(({ from, isOff, name, why }) =>
    isOff ? [] : [`the MCP server ${JSON.stringify(name)} of ${from} is not used: ${why}`]
  )

interface NamedServer {
  readonly name: string
  readonly from: string
  readonly server: Server
}

const defaults = { memoryBytes: 4 * 1024 ** 3, processes: 256, openFiles: 4096, cpuSeconds: null }

const toServer = ({ from, name, server }: NamedServer): ServerConfig.ServerConfig | UnusedServer => {
  const unusedServer = (reason: string, isOff = false): UnusedServer => ({ name, from, why: reason, isOff })
  if (server.enabled === false) return unusedServer("it is switched off", true)
  const transport = transportOf(server)
  if (typeof transport === "string") return unusedServer(transport)
  return {
    name,
    from,
    transport,
    oauth: {
      clientId: server.oauth?.clientId ?? null,
      clientSecret: server.oauth?.clientSecret ?? null,
      issuer: server.oauth?.issuer ?? null,
      scope: server.oauth?.scope ?? null,
      redirectPort: server.oauth?.redirectPort ?? 0
    },
    descriptionPrefix: server.description ?? null,
    tiers: Object.entries(server.tiers ?? {}),
    timeoutMillis: (server.timeoutSeconds ?? 120) * 1000,
    startMillis: server.startSeconds === undefined ? null : server.startSeconds * 1000,
    sampling: samplingOf(server.sampling)
  }
}

const samplingOf = (sampling: Server["sampling"] = false): ServerConfig.ServerConfig["sampling"] => {
  if (sampling === false) return null
  const { maxTokens = 4096, model = null, requestsPerMinute = 10 } = sampling === true ? {} : sampling
  return { model, maxTokens, requestsPerMinute }
}

/** Returns the transport, or the reason why the configuration names none. */
const transportOf = (server: Server): ServerConfig.ServerConfig["transport"] | string => {
  const { args = [], command, cwd, env = {}, headers = {}, limits, network = false, sandbox = true, type, url } = server
  if (command !== undefined && url !== undefined) return "it has a command and a url: leave one of them out"
  if (url !== undefined) {
    if (!/^https?:$/u.test(URL.parse(url)?.protocol ?? "")) return "its url is none of http or https"
    return { _tag: "Http", url, headers, protocol: type === "sse" ? "Sse" : "Any" }
  }
  if (command === undefined) return "it has neither a command nor a url"
  const odd = Object.keys(env).find((key) => !/^[A-Za-z_][A-Za-z0-9_]*$/u.test(key))
  if (odd !== undefined) return `its env contains ${JSON.stringify(odd)}, which is not the name of a variable`
  return {
    _tag: "Stdio",
    command,
    args,
    env,
    ...(cwd === undefined ? {} : { cwd }),
    network,
    isUnconfined: !sandbox,
    limits: { ...defaults, ...limits }
  }
}
