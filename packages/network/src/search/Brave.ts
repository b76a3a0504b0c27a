/** Brave's search API. */
import * as Schema from "effect/Schema"
import { plain } from "./Markup.ts"
import { get, type Provider, decodeReply } from "./Provider.ts"

const Hit = Schema.Struct({ title: Schema.String, url: Schema.String, description: Schema.optionalKey(Schema.String) })
const Pages = Schema.Struct({ results: Schema.Array(Hit) })

/** The maximum of the API. */
const maxAtOnce = 20

export const Brave: Provider = {
  title: "Brave",
  endpoint: "https://api.search.brave.com/res/v1/web/search",
  needs: ["key"],
  request: ({ endpoint, key, limit, query }) =>
    get(endpoint, { q: query, count: String(Math.min(limit, maxAtOnce)) }, { "x-subscription-token": key }),
  results: decodeReply(Schema.Struct({ web: Schema.optionalKey(Pages) }), ({ web }) =>
    (web?.results ?? []).map(({ description = "", title, url }) => ({
      title: plain(title),
      url,
      snippet: plain(description)
    }))
  )
}
