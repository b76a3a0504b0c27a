/** The servers that an operator or a project configured, as far as the client needs to know. Pure data. */
import type { Tier } from "@bough/protocol"

/** Bounds of a server's process; null: none. */
export interface ProcessLimits {
  readonly memoryBytes?: number | null
  readonly cpuSeconds?: number | null
  readonly openFiles?: number | null
  readonly processes?: number | null
}

/** A program of this machine that talks through its standard streams. */
export interface StdioTransport {
  readonly _tag: "Stdio"
  readonly command: string
  readonly args: ReadonlyArray<string>
  /** Variables of the process, which nothing but the process sees. */
  readonly env: Readonly<Record<string, string>>
  /** Relative to the workspace; default: its root. */
  readonly cwd?: string
  /** The hosts that the process reaches; `true`: every public one; `false`: none. */
  readonly network: boolean | ReadonlyArray<string>
  /** True: outside of any sandbox, as the operator. */
  readonly isUnconfined: boolean
  readonly limits: ProcessLimits
}

/** A service that is reached by HTTP. `Sse` is the transport of 2024-11-05; `Any` falls back to it. */
export interface HttpTransport {
  readonly _tag: "Http"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly protocol: "Any" | "Streamable" | "Sse"
}

export interface ServerConfig {
  /** As the configuration names it. */
  readonly name: string
  /** The file that configures it, for people. */
  readonly from: string
  readonly transport: StdioTransport | HttpTransport
  /** Put before the description of each of its tools; null: the server's name. */
  readonly descriptionPrefix: string | null
  /** Tiers by tool name of the server; `*` stands for any text. The first that fits counts. */
  readonly tiers: ReadonlyArray<readonly [pattern: string, tier: Tier.Tier]>
  /** The most that one call takes. */
  readonly timeoutMillis: number
}

/** The tier of a server's tool. What the server says of its own tools is not asked. */
export const tierOf = ({ tiers }: Pick<ServerConfig, "tiers">, tool: string): Tier.Tier =>
  tiers.find(([pattern]) => matches(pattern, tool))?.[1] ?? "System"

const matches = (pattern: string, name: string): boolean => {
  const [first = "", ...rest] = pattern.split("*")
  if (rest.length === 0) return pattern === name
  if (!name.startsWith(first)) return false
  let at = first.length
  const last = rest.pop() ?? ""
  for (const part of rest) {
    const found = name.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return name.length >= at + last.length && name.endsWith(last)
}

/** True for a process that reaches nothing beyond its sandbox. */
export const isConfined = ({ transport }: Pick<ServerConfig, "transport">): boolean =>
  transport._tag === "Stdio" &&
  !transport.isUnconfined &&
  (transport.network === false || (transport.network !== true && transport.network.length === 0))
