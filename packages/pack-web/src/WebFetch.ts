/** `web_fetch`: returns the text of a page, a text file or a PDF; a long text is returned in pieces. */
import { ToolError } from "@bough/protocol"
import { Capability, Tool, ToolSchema } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Fields from "./internal/fields.ts"
import * as Window from "./internal/window.ts"

const accept = "text/html,application/xhtml+xml,application/pdf;q=0.9,text/*;q=0.8,*/*;q=0.5"
/** The minimum size of a window in bytes: smaller windows would need many requests for one page. */
const minBytes = 500

const readable = Effect.promise(() => import("./internal/readable.ts"))

export const WebFetch = Tool.make("web_fetch", {
  version: 1,
  description: "Read a web page, text or PDF",
  tier: "ReadOnly",
  replay: "Safe",
  cache: "reads",
  egress: { address: ({ url }) => url },
  capabilities: [Capability.NetworkRead],
  parameters: Schema.Struct({
    url: Fields.url,
    format: ToolSchema.withDefault(
      Schema.Literals(["markdown", "text"]).annotate({ description: "Of pages" }),
      "markdown"
    ),
    offset: ToolSchema.withDefault(Schema.Natural.annotate({ description: "endByte of the previous answer" }), 0),
    maxBytes: ToolSchema.withDefault(
      Schema.Int.check(Schema.isBetween({ minimum: minBytes, maximum: Window.maxAnswerLength })).annotate({
        description: "Most to return"
      }),
      Window.maxAnswerLength
    )
  }),
  /** More text follows if `endByte` < `totalBytes`. */
  output: Schema.Struct({
    url: Schema.String,
    title: Schema.optionalKey(Schema.String),
    contentType: Schema.String,
    startByte: Schema.Natural,
    endByte: Schema.Natural,
    totalBytes: Schema.Natural,
    text: Schema.String
  }),
  forModel: ({ endByte, startByte, text, title, totalBytes, url }) => {
    const heading = title === undefined ? url : `${title}\n${url}`
    if (startByte === 0 && endByte >= totalBytes) return `${heading}\n\n${text}`
    const onward = endByte < totalBytes ? `; continue with offset=${endByte}` : ""
    return `${heading}\n\n${text}\n[bytes ${startByte}–${endByte} of ${totalBytes}${onward}]`
  },
  execute: Effect.fnUntraced(function* ({ format, maxBytes, offset, url }) {
    const network = yield* Capability.NetworkRead
    const response = yield* network.get(url, { headers: { accept } })
    if (response.status < 200 || response.status > 299) {
      return yield* new ToolError.ExecutionError({ message: `${response.url} answered with status ${response.status}` })
    }
    const Readable = yield* readable
    const { contentType, text, title } = yield* Readable.readableOf(response, format)
    const window = Window.windowOf(text, offset, maxBytes)
    return Tool.result({
      output: { url: response.url, ...(title === "" ? {} : { title }), contentType, ...window },
      display: `Read ${window.endByte - window.startByte} of ${window.totalBytes} bytes of ${new URL(response.url).host}`
    })
  })
})
