/** Google's Custom Search JSON API: a key and the id of a search engine. */
import * as Schema from "effect/Schema"
import { get, type Provider, decodeReply } from "./Provider.ts"

const Hit = Schema.Struct({ title: Schema.String, link: Schema.String, snippet: Schema.optionalKey(Schema.String) })

/** The maximum of the API. */
const maxAtOnce = 10

export const Google: Provider = {
  title: "Google",
  endpoint: "https://www.googleapis.com/customsearch/v1",
  needs: ["key", "engine"],
  request: ({ endpoint, engine, key, limit, query }) =>
    get(endpoint, { q: query, cx: engine, num: String(Math.min(limit, maxAtOnce)) }, { "x-goog-api-key": key }),
  // Without results, the list is absent.
  results: decodeReply(Schema.Struct({ items: Schema.optionalKey(Schema.Array(Hit)) }), ({ items = [] }) =>
    items.map(({ link, snippet = "", title }) => ({ title, url: link, snippet }))
  )
}
