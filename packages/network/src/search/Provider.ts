/**
 * The contract of a search provider: how a request is made, and how its response is read. A new provider needs one
 * file, and one line in `Providers`.
 */
import type { NetworkRead, NetworkWrite } from "@bough/tool"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Buffer } from "node:buffer"

/** `key` and `engine` are "" if not configured. */
export interface Ask extends NetworkRead.SearchQuery {
  readonly endpoint: string
  readonly key: string
  /** The search engine of the account, for providers with several. */
  readonly engine: string
}

export interface Provider {
  /** The name for users. */
  readonly title: string
  /** The provider's address; null: each user runs their own instance. */
  readonly endpoint: string | null
  /** The settings that are needed in addition to the endpoint. */
  readonly needs: ReadonlyArray<"key" | "engine">
  readonly request: (ask: Ask) => NetworkWrite.Request
  /** Reads a response; null: it is not in the provider's format. */
  readonly results: (answer: string) => ReadonlyArray<NetworkRead.SearchResult> | null
}

/** Makes a GET request of the endpoint with these parameters added. */
export const get = (
  endpoint: string,
  parameters: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {}
): NetworkWrite.Request => {
  const url = new URL(endpoint)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return { method: "GET", url: url.href, headers: { accept: "application/json", ...headers }, body: null }
}

export const postJson = (
  endpoint: string,
  body: unknown,
  headers: Readonly<Record<string, string>>
): NetworkWrite.Request => ({
  method: "POST",
  url: endpoint,
  headers: { accept: "application/json", "content-type": "application/json", ...headers },
  body: Buffer.from(JSON.stringify(body))
})

/** Reads a JSON response of this form; null: it has another form. */
export const decodeReply = <A>(
  schema: Schema.Codec<A, unknown>,
  results: (answer: A) => ReadonlyArray<NetworkRead.SearchResult>
): Provider["results"] => {
  const decode = Schema.decodeUnknownOption(Schema.fromJsonString(schema))
  return (answer) => Option.getOrNull(Option.map(decode(answer), results))
}
