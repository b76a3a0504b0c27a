/**
 * `http_request`: sends a request with one of seven methods and any body. A redirect is returned and not followed, because the
 * approval covers one host.
 */
import { Capability, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Buffer } from "node:buffer"
import * as Answer from "./internal/answer.ts"
import * as Fields from "./internal/fields.ts"
import * as Leaving from "./internal/leaving.ts"
import * as RequestTier from "./internal/requestTier.ts"
import * as Spelling from "./internal/spelling.ts"

export const HttpRequest = Tool.make("http_request", {
  version: 2,
  description:
    "Send an HTTP request with any headers but credentials, which the operator configures; redirects are not followed",
  tier: "System",
  replay: "Unsafe",
  egress: {
    address: ({ url }) => url,
    texts: ({ body, headers }) => [...(body === undefined ? [] : [body]), ...Leaving.inHeaders(headers)]
  },
  capabilities: [Capability.NetworkRead, Capability.NetworkWrite],
  parameters: Schema.Struct({
    method: Schema.Literals(["POST", "PUT", "PATCH", "DELETE", "GET", "HEAD", "OPTIONS"]),
    url: Fields.url,
    headers: Fields.headers,
    body: Schema.optionalKey(Schema.String.annotate({ description: "Sent unchanged" }))
  }),
  output: Answer.WebAnswer,
  forModel: Answer.format,
  classify: ({ url }) => RequestTier.classifyRequest(url, "System"),
  preview: (request) => Spelling.preview({ ...request, isWritten: true }),
  execute: Effect.fnUntraced(function* ({ body, headers, method, url }) {
    const network = yield* Capability.NetworkWrite
    const response = yield* network.send({ method, url, headers, body: body === undefined ? null : Buffer.from(body) })
    return Tool.result({
      output: Answer.answerOf(response),
      display: `${method} ${new URL(response.url).host} answered ${response.status}`,
      artifacts: [{ _tag: "RequestSent", method, url: response.url, status: response.status }]
    })
  })
})
