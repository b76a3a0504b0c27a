/** Web search through the provider that the operator configured. Keys are read here and stay here. */
import type { ToolError } from "@bough/protocol"
import type { NetworkRead } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Client from "./Client.ts"
import * as Refusal from "./Refusal.ts"
import type { Provider } from "./search/Provider.ts"
import { type Name, names, providers } from "./search/Providers.ts"
import * as Target from "./Target.ts"

export interface Settings {
  readonly provider: Name
  readonly key?: Redacted.Redacted
  /** The URL that replaces the provider's own; it may be on this machine. */
  readonly endpoint?: string
  /** Google's id of a search engine (`cx`). */
  readonly engine?: string
}

const maxSnippetLength = 500

/** Returns the missing settings that the provider needs, such as `key`. */
export const lacks = (settings: Settings): ReadonlyArray<"key" | "engine" | "endpoint"> => {
  const provider: Provider = providers[settings.provider]
  const { endpoint = provider.endpoint, engine = "" } = settings
  const access = { key: keyOf(settings), engine }
  return [
    ...(endpoint === null ? (["endpoint"] as const) : []),
    ...provider.needs.filter((need) => access[need] === "")
  ]
}

const keyOf = ({ key }: Settings): string => (key === undefined ? "" : Redacted.value(key))

export const search = Effect.fnUntraced(function* (
  client: Client.Client,
  settings: Settings | null,
  query: NetworkRead.SearchQuery
): Effect.fn.Return<NetworkRead.SearchResults, ToolError.ToolError> {
  if (settings === null) return yield* notConfigured
  const provider: Provider = providers[settings.provider]
  const endpoint = settings.endpoint ?? provider.endpoint
  const key = keyOf(settings)
  const { engine = "" } = settings
  const missing = lacks(settings)
  if (endpoint === null || missing.length > 0) {
    return yield* failed(`${provider.title} needs ${missing.map((name) => `search.${name}`).join(" and ")} configured`)
  }
  const endpointTarget = Target.parse(endpoint)
  if (Result.isFailure(endpointTarget))
    return yield* failed(`search.endpoint of ${provider.title}: ${endpointTarget.failure.reason}`)
  const searchRequest = provider.request({ ...query, endpoint, key, engine })
  const target = yield* Effect.fromResult(Target.parse(searchRequest.url))
  const { host, port } = endpointTarget.success
  // The operator allows the host of an endpoint by configuring it.
  const guard = { ...client.guard, listed: [...client.guard.listed, { host, port }] }
  const { limits } = client
  const response = yield* Client.withTimeout(
    limits.totalMillis,
    Client.sendTo({ guard, limits }, target, searchRequest)
  )
  if (response.status !== 200) return yield* failed(`${provider.title} answered ${meaning(response.status)}`)
  const results = provider.results(new TextDecoder().decode(response.body))
  if (results === null) return yield* failed(`${provider.title} answered in a form that is not its own`)
  return { provider: provider.title, results: results.slice(0, query.limit).map(truncateResult) }
})

const truncateResult = ({ snippet, title, url }: NetworkRead.SearchResult): NetworkRead.SearchResult => ({
  title,
  url,
  snippet: snippet.length > maxSnippetLength ? `${snippet.slice(0, maxSnippetLength)}…` : snippet
})

const failed = (message: string) => Refusal.fail("Search", message)

const notConfigured = Refusal.fail(
  "Search",
  "no search provider is configured",
  `set search.provider to one of ${names.join(", ")}; duckduckgo needs no key, searxng needs search.endpoint`
)

const meaning = (status: number): string => {
  if (status === 401 || status === 403) return `${status}: the key was not accepted`
  return status === 429 ? "429: too many searches for now" : String(status)
}
