/** Tavily's search API. */
import * as Schema from "effect/Schema"
import { postJson, type Provider, decodeReply } from "./Provider.ts"

const Hit = Schema.Struct({ title: Schema.String, url: Schema.String, content: Schema.String })

export const Tavily: Provider = {
  title: "Tavily",
  endpoint: "https://api.tavily.com/search",
  needs: ["key"],
  request: ({ endpoint, key, limit, query }) =>
    postJson(endpoint, { query, max_results: limit }, { authorization: `Bearer ${key}` }),
  results: decodeReply(Schema.Struct({ results: Schema.Array(Hit) }), ({ results }) =>
    results.map(({ content, title, url }) => ({ title, url, snippet: content }))
  )
}
