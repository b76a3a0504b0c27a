/** `http_get`: requests a resource of an API or a local service, and returns the response unchanged. */
import { Capability, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Answer from "./internal/answer.ts"
import * as Fields from "./internal/fields.ts"
import * as Leaving from "./internal/leaving.ts"
import * as RequestTier from "./internal/requestTier.ts"
import * as Spelling from "./internal/spelling.ts"

export const HttpGet = Tool.make("http_get", {
  version: 1,
  description: "GET a URL, the body as it is",
  tier: "ReadOnly",
  replay: "Safe",
  egress: { address: ({ url }) => url, texts: ({ headers }) => Leaving.inHeaders(headers) },
  capabilities: [Capability.NetworkRead],
  parameters: Schema.Struct({ url: Fields.url, headers: Fields.headers }),
  output: Answer.WebAnswer,
  forModel: Answer.format,
  classify: ({ url }) => RequestTier.classifyRequest(url, "ReadOnly"),
  preview: ({ headers, url }) => Spelling.preview({ method: "GET", url, headers }),
  execute: Effect.fnUntraced(function* ({ headers, url }) {
    const network = yield* Capability.NetworkRead
    const response = yield* network.get(url, { headers })
    return Tool.result({
      output: Answer.answerOf(response),
      display: `GET ${new URL(response.url).host} answered ${response.status}`
    })
  })
})
