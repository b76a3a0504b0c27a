/** The adapter of the network capabilities. The HTTP client is loaded with the first request, since most runs make none. */
import { Capability, type Grant, type NetworkRead, type NetworkWrite, ToolContext } from "@bough/tool"
import type { ReadNotes } from "@bough/tool/ReadNotes"
import * as Effect from "effect/Effect"
import type { Client } from "./Client.ts"
import type { Lookup } from "./DnsResolver.ts"
import type { ListedService } from "./Guard.ts"
import * as Limits from "./Limits.ts"
import type { HostHeaders } from "./OperatorHeaders.ts"
import type * as Search from "./Search.ts"

export interface NetworkOptions {
  /** Services that are open although they are private, such as one on this machine. */
  readonly allow?: ReadonlyArray<ListedService>
  /** Null or absent: there is no web search, and the error of a search explains the setup. */
  readonly search?: Search.Settings | null
  /** Name servers to ask (`address` or `address:port`) in place of the machine's own resolver. */
  readonly nameServers?: ReadonlyArray<string>
  readonly limits?: Partial<Limits.Limits>
  /** Headers for requests of `NetworkWrite` to these hosts, such as a credential that no call may set. */
  readonly headers?: ReadonlyArray<HostHeaders>
}

type Grants = ReadonlyArray<Grant.Grant>

export interface Network {
  /** The features of reading that are missing under these options, each with the reason. */
  readonly lacks: Readonly<Record<string, string>>
  /**
   * Makes the capability for one call. A `Host` grant opens one host on this machine, on its private network, or at an
   * unusual port.
   */
  readonly read: (
    grants: Grants,
    passage?: ToolContext.Passage,
    reads?: ReadNotes
  ) => NetworkRead.NetworkRead["Service"]
  /** `mark` is called if a response to the operator's own credential makes the result private. */
  readonly write: (
    grants: Grants,
    passage?: ToolContext.Passage,
    mark?: ToolContext.Mark
  ) => NetworkWrite.NetworkWrite["Service"]
}

const client = Effect.promise(() => import("./Client.ts"))
const names = Effect.promise(() => import("./DnsResolver.ts"))
const search = Effect.promise(() => import("./Search.ts"))

/** Returns the features that these options do not provide, each with the fix. */
export const lacksOf = ({ search: settings = null }: Pick<NetworkOptions, "search">): Network["lacks"] =>
  settings === null
    ? { search: "no search provider is configured: set search.provider, such as to duckduckgo, which needs no key" }
    : {}

/** Makes the adapter. It neither uses the network nor loads the client before the first request. */
export const make = (options: NetworkOptions = {}): Network => {
  const { allow = [], headers = [], nameServers } = options
  const limits = { ...Limits.standard, ...options.limits }
  let lookup: Lookup | null = null
  const clientFor = (
    grants: Grants,
    passage: ToolContext.Passage = () => null,
    reads: ReadNotes | null = null
  ): Effect.Effect<Client> =>
    Effect.map(names, (Names) => {
      lookup ??= nameServers === undefined ? Names.system : Names.servers(nameServers)
      return {
        guard: { lookup, listed: allow, grants },
        limits,
        passage,
        operatorHeaders: headers,
        onOperatorHeaders: () => {},
        reads
      }
    })
  return {
    lacks: lacksOf(options),
    read: (grants, passage, reads) => {
      const loaded = Effect.all([client, clientFor(grants, passage, reads)])
      // DNS answers and search results have no expiry time, so results that depend on them are not cached.
      const unnoted = Effect.sync(() => reads?.noteUncacheable())
      return {
        get: (url, get = {}) =>
          Effect.flatMap(loaded, ([Client, networkClient]) => Client.get(networkClient, url, get)),
        inspect: (url) =>
          Effect.andThen(
            unnoted,
            Effect.flatMap(loaded, ([Client, networkClient]) => Client.inspect(networkClient, url))
          ),
        search: (query) =>
          Effect.andThen(
            unnoted,
            Effect.flatMap(Effect.all([search, clientFor(grants)]), ([Search, networkClient]) =>
              Search.search(networkClient, options.search ?? null, query)
            )
          )
      }
    },
    write: (grants, passage, mark) => ({
      send: (request) =>
        Effect.flatMap(Effect.all([client, clientFor(grants, passage)]), ([Client, networkClient]) =>
          Client.send({ ...networkClient, onOperatorHeaders: () => mark?.("private") }, request)
        )
    })
  }
}

/** Adds reading to the context, made for each call from its grants. */
export const provideReads = (context: ToolContext.ToolContext, network: Network): ToolContext.ToolContext =>
  ToolContext.provide(context, Capability.NetworkRead, {
    make: ({ grants }, _mark, bounds) => network.read(grants, bounds?.passage, bounds?.reads),
    notesReads: true,
    lacks: network.lacks,
    reach: "Open",
    preconditions: []
  })

/** Adds requests of every kind to the context, made for each call from its grants. */
export const provideWrites = (context: ToolContext.ToolContext, network: Network): ToolContext.ToolContext =>
  ToolContext.provide(context, Capability.NetworkWrite, {
    make: ({ grants }, mark, bounds) => network.write(grants, bounds?.passage, mark),
    reach: "Open",
    preconditions: []
  })
