/** The Bing Web Search API, version 7, and services that kept its format. */
import * as Schema from "effect/Schema"
import { get, type Provider, decodeReply } from "./Provider.ts"

const Hit = Schema.Struct({ name: Schema.String, url: Schema.String, snippet: Schema.optionalKey(Schema.String) })
const Pages = Schema.Struct({ value: Schema.Array(Hit) })

export const Bing: Provider = {
  title: "Bing",
  endpoint: "https://api.bing.microsoft.com/v7.0/search",
  needs: ["key"],
  request: ({ endpoint, key, limit, query }) =>
    get(endpoint, { q: query, count: String(limit) }, { "ocp-apim-subscription-key": key }),
  // Without results, the list is absent.
  results: decodeReply(Schema.Struct({ webPages: Schema.optionalKey(Pages) }), ({ webPages }) =>
    (webPages?.value ?? []).map(({ name, snippet = "", url }) => ({ title: name, url, snippet }))
  )
}
