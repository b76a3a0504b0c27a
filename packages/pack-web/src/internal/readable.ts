/** What a body says, whatever it is written in. */
import { ToolError } from "@bough/protocol"
import { type NetworkRead, TextFormat } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Charset from "./charset.ts"
import * as Markdown from "./markdown.ts"
import * as Pdf from "./pdf.ts"
import * as Stripped from "./stripped.ts"

export interface Readable extends Markdown.Page {
  readonly contentType: string
}

/** "text/html" of "text/html; charset=utf-8"; "" where nothing is said. */
export const mediaType = (headers: Readonly<Record<string, string>>): string =>
  (headers["content-type"] ?? "").split(";")[0].trim().toLowerCase()

const isPage = (type: string): boolean => type === "text/html" || type === "application/xhtml+xml"
const isText = (type: string): boolean =>
  /^text\/|^application\/(json|xml|javascript|ecmascript|yaml|x-yaml|toml|x-ndjson|sql)$|\+(json|xml|yaml)$/.test(type)

/** Null: neither text nor anything that text can be had from. */
export const plain = ({ body, headers }: Pick<NetworkRead.Response, "body" | "headers">): string | null => {
  const type = mediaType(headers)
  if (!isPage(type) && !isText(type) && (type !== "" || TextFormat.isBinary(body))) return null
  return visible(Charset.decode(body, headers["content-type"] ?? ""))
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

/** Without characters that people do not see and models read: tags, direction marks, control characters. */
export const visible = (text: string): string =>
  text
    .replace(/\r\n?/g, "\n")
    .replace(/(?![\t\n])\p{Cc}|[\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF\u{E0000}-\u{E007F}]/gu, "")
