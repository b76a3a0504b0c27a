/** The adapter of the network capabilities. */
import { Capability, type Grant, type NetworkRead, type NetworkWrite, ToolContext } from "@bough/tool"
import * as Client from "./Client.ts"
import type { Listed } from "./Guard.ts"
import * as Limits from "./Limits.ts"
import * as Names from "./Names.ts"
import * as Search from "./Search.ts"

export interface Options {
  /** Services that are open although they are private, such as one on this machine. */
  readonly allow?: ReadonlyArray<Listed>
  /** Null or left out: there is no web search, and asking for one says how to set it up. */
  readonly search?: Search.Settings | null
  /** Name servers to ask (`address` or `address:port`) in place of the machine's own resolver. */
  readonly nameServers?: ReadonlyArray<string>
  readonly limits?: Partial<Limits.Limits>
}

type Grants = ReadonlyArray<Grant.Grant>

export interface Network {
  /** For one call: a `Host` grant opens this machine, its private network or an unusual port at that host. */
  readonly read: (grants: Grants) => NetworkRead.NetworkRead["Service"]
  readonly write: (grants: Grants) => NetworkWrite.NetworkWrite["Service"]
}

export const make = (options: Options = {}): Network => {
  const { allow = [], nameServers, search = null } = options
  const lookup = nameServers === undefined ? Names.system : Names.servers(nameServers)
  const limits = { ...Limits.standard, ...options.limits }
  const clientFor = (grants: Grants): Client.Client => ({ guard: { lookup, listed: allow, grants }, limits })
  return {
    read: (grants) => {
      const client = clientFor(grants)
      return {
        get: (url, get = {}) => Client.get(client, url, get),
        inspect: (url) => Client.inspect(client, url),
        search: (query) => Search.search(client, search, query)
      }
    },
    write: (grants) => {
      const client = clientFor(grants)
      return { send: (request) => Client.send(client, request) }
    }
  }
}

/** The context with reading, made for each call from its grants. */
export const provideReads = (context: ToolContext.ToolContext, network: Network): ToolContext.ToolContext =>
  ToolContext.provide(context, Capability.NetworkRead, {
    make: ({ grants }) => network.read(grants),
    reach: "Open",
    preconditions: []
  })

/** The context with requests of every kind, made for each call from its grants. */
export const provideWrites = (context: ToolContext.ToolContext, network: Network): ToolContext.ToolContext =>
  ToolContext.provide(context, Capability.NetworkWrite, {
    make: ({ grants }) => network.write(grants),
    reach: "Open",
    preconditions: []
  })
