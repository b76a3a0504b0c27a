/** Reads the text of a body in any format. It is loaded with the first page. */
import { ToolError } from "@bough/protocol"
import type { NetworkRead } from "@bough/tool"
import * as Effect from "effect/Effect"
import type * as Markdown from "./markdown.ts"
import { isPage, mediaType, plain, visible } from "./plain.ts"
import { read } from "./reading.ts"

export interface Readable extends Markdown.Page {
  readonly contentType: string
}

export const readableOf = Effect.fnUntraced(function* (
  response: NetworkRead.Response,
  form: Markdown.Form
): Effect.fn.Return<Readable, ToolError.ToolError> {
  const { body, headers, url } = response
  const contentType = mediaType(headers)
  if (contentType === "application/pdf" || isPdf(body)) {
    return clean("application/pdf", yield* read("the PDF", { _tag: "Pdf", bytes: body }))
  }
  const text = plain(response)
  if (text === null) {
    return yield* new ToolError.ExecutionError({
      message: `${url} is ${contentType === "" ? "binary" : contentType} (${body.length} bytes), not text`
    })
  }
  if (isPage(contentType) || (contentType === "" && /^\s*<(!doctype html|html)\b/i.test(text))) {
    return clean("text/html", yield* read("the page", { _tag: "Page", html: text, url, form }))
  }
  if (contentType !== "image/svg+xml") return { contentType, title: "", text }
  return clean(contentType, yield* read("the image", { _tag: "Stripped", markup: text }))
})

const isPdf = (bytes: Uint8Array): boolean => new TextDecoder("latin1").decode(bytes.subarray(0, 5)) === "%PDF-"

const clean = (contentType: string, { text, title }: Markdown.Page): Readable => ({
  contentType,
  title: visible(title).slice(0, 300),
  text: visible(text)
})
