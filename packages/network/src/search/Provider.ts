/**
 * The contract of a search provider: how it is asked, and how its answer is read. A new one is one file, and one line
 * in `Providers`.
 */
import type { NetworkRead, NetworkWrite } from "@bough/tool"
import { Buffer } from "node:buffer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** `key` and `engine` are "" where none is configured. */
export interface Ask extends NetworkRead.SearchQuery {
  readonly endpoint: string
  readonly key: string
  /** Which of the account's search engines, where a provider has several. */
  readonly engine: string
}

export interface Provider {
  /** As users call it. */
  readonly title: string
  /** Null: each user runs their own. */
  readonly endpoint: string | null
  /** The settings that are needed beside the endpoint. */
  readonly needs: ReadonlyArray<"key" | "engine">
  readonly request: (ask: Ask) => NetworkWrite.Request
  /** Null: the answer is not in the provider's form. */
  readonly results: (answer: string) => ReadonlyArray<NetworkRead.SearchResult> | null
}

/** A GET of the endpoint with these parameters added. */
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

/** Reads a JSON answer of this form; null: it has another. */
export const reading = <A>(
  schema: Schema.Codec<A, unknown>,
  results: (answer: A) => ReadonlyArray<NetworkRead.SearchResult>
): Provider["results"] => {
  const decode = Schema.decodeUnknownOption(Schema.fromJsonString(schema))
  return (answer) => Option.getOrNull(Option.map(decode(answer), results))
}
