/** What a body says, whatever it is written in. Loaded with the first page that is read. */
import { ToolError } from "@bough/protocol"
import type { NetworkRead } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Markdown from "./markdown.ts"
import * as Pdf from "./pdf.ts"
import * as Stripped from "./stripped.ts"
import { isPage, mediaType, plain, visible } from "./plain.ts"

export interface Readable extends Markdown.Page {
  readonly contentType: string
}

export const of = Effect.fnUntraced(function* (
  response: NetworkRead.Response,
  form: Markdown.Form
): Effect.fn.Return<Readable, ToolError.ToolError> {
  const { body, headers, url } = response
  const contentType = mediaType(headers)
  if (contentType === "application/pdf" || Pdf.isPdf(body)) {
    return clean("application/pdf", yield* Pdf.of(body))
  }
  const text = plain(response)
  if (text === null) {
    return yield* new ToolError.ExecutionError({
      message: `${url} is ${contentType === "" ? "binary" : contentType} (${body.length} bytes), not text`
    })
  }
  if (isPage(contentType) || (contentType === "" && /^\s*<(!doctype html|html)\b/i.test(text))) {
    return clean("text/html", yield* Markdown.of(text, url, form))
  }
  if (contentType !== "image/svg+xml") return { contentType, title: "", text }
  return clean(contentType, { title: "", text: Stripped.of(text) })
})

const clean = (contentType: string, { text, title }: Markdown.Page): Readable => ({
  contentType,
  title: visible(title).slice(0, 300),
  text: visible(text)
})
