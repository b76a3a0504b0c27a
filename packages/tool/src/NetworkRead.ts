/**
 * Reading from the network: http and https only, without cookies. Private, loopback, link-local, metadata and special
 * addresses are refused unless the operator listed the host or the call has a grant; the check uses the address of the
 * actual connection. A refusal is a PermissionDenied whose reason begins with its name, such as `PrivateAddress`.
 */
import type { Session, ToolError } from "@bough/protocol"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/** The response, with any status. Names of headers are in lower case; cookies are left out. */
export interface Response {
  /** The URL after redirects. */
  readonly url: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The decompressed body. */
  readonly body: Uint8Array
}

export interface GetOptions {
  /** Request headers: only those that grant no authority, such as `accept`; others are rejected. */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * The maximum number of bytes of the decompressed body; a longer one is an ExecutionError. Default and maximum: the
   * adapter's own limit.
   */
  readonly maxBytes?: number
}

/** The destination of a URL, in its canonical spelling. */
export interface Destination {
  readonly url: string
  readonly host: string
  readonly port: number
  /** The reason why a call to it needs a Host grant, such as that it is on this machine; null: it needs none. */
  readonly guard: string | null
  /**
   * The addresses that a grant has to contain: all addresses of the name, sorted, if one of them is on this machine or
   * its network; else empty.
   */
  readonly nearAddresses: ReadonlyArray<string>
  /** The names of the headers that the operator sends with NetworkWrite requests to this destination. */
  readonly operatorHeaders?: ReadonlyArray<string>
}

export interface SearchQuery {
  readonly query: string
  readonly limit: number
}

export interface SearchResult {
  readonly title: string
  readonly url: string
  readonly snippet: string
}

export interface SearchResults {
  /** The name of the provider that returned the results. */
  readonly provider: string
  readonly results: ReadonlyArray<SearchResult>
}

const labels: ReadonlyArray<Session.Label> = ["untrusted"]

export class NetworkRead extends Context.Service<
  NetworkRead,
  {
    /** Follows at most five redirects, each checked like the first URL. */
    readonly get: (url: string, options?: GetOptions) => Effect.Effect<Response, ToolError.ToolError>
    /** Resolves the name without connecting, for `classify`. Fails for a destination that no grant can open. */
    readonly inspect: (url: string) => Effect.Effect<Destination, ToolError.ToolError>
    /** Searches with the provider that the operator configured; its key stays in the adapter. */
    readonly search: (query: SearchQuery) => Effect.Effect<SearchResults, ToolError.ToolError>
  }
>()("@bough/tool/NetworkRead") {
  static readonly floor = "ReadOnly"
  static readonly labels = labels
  static readonly sends = true
}
