/** `web_search`: titles, addresses and snippets from the provider that the operator configured. */
import { Capability, Tool, ToolSchema } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Plain from "./internal/plain.ts"

const maxQueryLength = 400
/** The maximum length of an address: a longer one could contain data beyond the destination. */
const maxFoundLength = 2_048

export const WebSearch = Tool.make("web_search", {
  version: 1,
  description: "Search the web",
  tier: "ReadOnly",
  replay: "Safe",
  egress: { texts: ({ query }) => [query], service: () => "web searches" },
  capabilities: [Capability.NetworkRead],
  requires: ["NetworkRead.search"],
  parameters: Schema.Struct({
    query: Schema.NonEmptyString.check(Schema.isMaxLength(maxQueryLength)),
    limit: ToolSchema.withDefault(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 20 })), 8)
  }),
  output: Schema.Struct({
    provider: Schema.String,
    results: Schema.Array(Schema.Struct({ title: Schema.String, url: Schema.String, snippet: Schema.String }))
  }),
  forModel: ({ results }) =>
    results.length === 0
      ? "[no page found]"
      : results
          .map(({ snippet, title, url }) => [title, url, snippet].filter((line) => line !== "").join("\n"))
          .join("\n\n"),
  execute: Effect.fnUntraced(function* ({ limit, query }) {
    const network = yield* Capability.NetworkRead
    const { provider, results } = yield* network.search({ query, limit })
    return Tool.result({
      output: {
        provider,
        results: results.map(({ snippet, title, url }) => ({
          title: Plain.visible(title),
          url,
          snippet: Plain.visible(snippet)
        }))
      },
      discoveredUrls: results.map(({ url }) => url).filter(({ length }) => length <= maxFoundLength),
      display: `Found ${results.length} ${results.length === 1 ? "page" : "pages"} with ${provider}`
    })
  })
})
