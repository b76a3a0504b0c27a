/** Searches a self-hosted SearXNG instance, whose settings must enable the format `json`. */
import * as Schema from "effect/Schema"
import { get, type Provider, decodeReply } from "./Provider.ts"

const Hit = Schema.Struct({
  title: Schema.String,
  url: Schema.String,
  content: Schema.optionalKey(Schema.NullOr(Schema.String))
})

export const SearXNG: Provider = {
  title: "SearXNG",
  endpoint: null,
  needs: [],
  request: ({ endpoint, key, query }) =>
    get(endpoint, { q: query, format: "json" }, key === "" ? {} : { authorization: `Bearer ${key}` }),
  results: decodeReply(Schema.Struct({ results: Schema.Array(Hit) }), ({ results }) =>
    results.map(({ content, title, url }) => ({ title, url, snippet: content ?? "" }))
  )
}
