/** The text of a textual body, as users would see it. */
import { TextFormat } from "@bough/text"
import { type NetworkRead } from "@bough/tool"
import * as Charset from "./charset.ts"

/** Returns "text/html" for "text/html; charset=utf-8"; "" if there is no type. */
export const mediaType = (headers: Readonly<Record<string, string>>): string =>
  (headers["content-type"] ?? "").split(";")[0].trim().toLowerCase()

export const isPage = (type: string): boolean => type === "text/html" || type === "application/xhtml+xml"
const isText = (type: string): boolean =>
  /^text\/|^application\/(json|xml|javascript|ecmascript|yaml|x-yaml|toml|x-ndjson|sql)$|\+(json|xml|yaml)$/.test(type)

/** Returns the text; null: the body is not text, and no text can be extracted from it. */
export const plain = ({ body, headers }: Pick<NetworkRead.Response, "body" | "headers">): string | null => {
  const type = mediaType(headers)
  if (!isPage(type) && !isText(type) && (type !== "" || TextFormat.isBinary(body))) return null
  return visible(Charset.decode(body, headers["content-type"] ?? ""))
}

/** Removes characters that users do not see and models read: tags, direction marks, control characters. */
export const visible = (text: string): string =>
  text
    .replace(/\r\n?/g, "\n")
    .replace(/(?![\t\n])\p{Cc}|[\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF\u{E0000}-\u{E007F}]/gu, "")
