/** The servers that an operator or a project configured, with the facts that the client needs. Pure data. */
import type { Tier } from "@bough/protocol"
import type { SessionProcess } from "@bough/tool"

/** A program on this machine that communicates through its standard streams. */
export interface StdioTransport extends SessionProcess.Program {
  readonly _tag: "Stdio"
}

/** A service that is reached over HTTP. `Sse` is the transport of 2024-11-05; `Any` falls back to it. */
export interface HttpTransport {
  readonly _tag: "Http"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly protocol: "Any" | "Streamable" | "Sse"
}

/**
 * A client that the operator registered with an authorization server; null fields: Bough registers itself as a client.
 */
export interface OAuthSettings {
  readonly clientId: string | null
  readonly clientSecret: string | null
  /**
   * The authorization server of the client; null: the authorization server that the MCP server names; it gets no
   * `clientSecret`.
   */
  readonly issuer: string | null
  readonly scope: string | null
  /** The loopback port to which a login redirects; 0: any free port. */
  readonly redirectPort: number
}

export const noOAuth: OAuthSettings = {
  clientId: null,
  clientSecret: null,
  issuer: null,
  scope: null,
  redirectPort: 0
}

/** The bounds of the requests with which a server may ask the model. */
export interface SamplingLimits {
  /** `provider/model`; null: the model of the session that calls the server. */
  readonly model: string | null
  /** The maximum number of tokens of one answer. */
  readonly maxTokens: number
  readonly requestsPerMinute: number
}

export interface ServerConfig {
  /** The name in the configuration. */
  readonly name: string
  /** The file that configures it, for messages. */
  readonly from: string
  readonly transport: StdioTransport | HttpTransport
  readonly oauth: OAuthSettings
  /** The prefix of the description of each of its tools; null: the server's name. */
  readonly descriptionPrefix: string | null
  /** Tiers by the server's tool names; `*` matches any text. The first matching pattern counts. */
  readonly tiers: ReadonlyArray<readonly [pattern: string, tier: Tier.Tier]>
  /** The longest time that one call may take. */
  readonly timeoutMillis: number
  /**
   * The longest time that its start may take, for an attempt to connect, the first message of a session and a call;
   * null: the default of each.
   */
  readonly startMillis: number | null
  /** Null: the server may not ask the model. */
  readonly sampling: SamplingLimits | null
}

/** Returns the tier of a server's tool. The server's own annotations are ignored. */
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

/** True for a process that can reach nothing outside of its sandbox. */
export const isConfined = ({ transport }: Pick<ServerConfig, "transport">): boolean =>
  transport._tag === "Stdio" &&
  !transport.isUnconfined &&
  (transport.network === false || (transport.network !== true && transport.network.length === 0))
