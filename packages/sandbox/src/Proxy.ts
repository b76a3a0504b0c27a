/** A command's access to the network: a port on the sandbox's loopback, served from outside of it. */
import type { Execution, ToolContext } from "@bough/tool"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Socket } from "node:net"
import type { Variables } from "./Environment.ts"

/** The proxy of one command. */
export interface Connections {
  readonly connection: (socket: Socket) => void
  readonly requests: () => ReadonlyArray<Execution.CommandRequest>
}

/** The server of commands' connections: `CommandProxy` of `@bough/network`. */
export interface Proxy {
  readonly open: (admit: ToolContext.AdmitHost) => Effect.Effect<Connections, never, Scope.Scope>
}

/** A port above the kernel's range for clients, which no common server uses. */
export const port = 61_080

const nearby = "localhost,127.0.0.1,::1"

/**
 * Adds the variables from which programs read their proxy to a command's own variables; existing Java options are kept.
 * `at`: the port if a command shares this machine's loopback.
 */
export const variablesOver = (variables: Variables, at: number = port): Variables => {
  const java = `-Dhttp.proxyHost=127.0.0.1 -Dhttp.proxyPort=${at} -Dhttps.proxyHost=127.0.0.1 -Dhttps.proxyPort=${at}`
  return {
    ...variables,
    ...plain(`http://127.0.0.1:${at}`),
    ...Object.fromEntries(
      javaNames.map((name) => [name, variables[name] === undefined ? java : `${variables[name]} ${java}`])
    )
  }
}

const javaNames = ["MAVEN_OPTS", "GRADLE_OPTS"]

const plain = (address: string): Variables => ({
  HTTP_PROXY: address,
  HTTPS_PROXY: address,
  ALL_PROXY: address,
  NO_PROXY: nearby,
  http_proxy: address,
  https_proxy: address,
  all_proxy: address,
  no_proxy: nearby,
  npm_config_proxy: address,
  npm_config_https_proxy: address,
  npm_config_noproxy: nearby,
  YARN_HTTP_PROXY: address,
  YARN_HTTPS_PROXY: address,
  PIP_PROXY: address,
  CARGO_HTTP_PROXY: address,
  NODE_USE_ENV_PROXY: "1"
})
