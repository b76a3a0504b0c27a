/** An HTTP response in its raw form. If it is too long, the dispatcher stores the rest. */
import type { NetworkRead } from "@bough/tool"
import * as Schema from "effect/Schema"
import * as Plain from "./plain.ts"

/** A response; `text` is absent if the body is not text. */
export const WebAnswer = Schema.Struct({
  url: Schema.String,
  status: Schema.Int,
  headers: Schema.Record(Schema.String, Schema.String),
  totalBytes: Schema.Natural,
  text: Schema.optionalKey(Schema.String)
})

/**
 * The headers that describe the response. Other headers describe the connection or the server.
 */
const loggedHeaders: ReadonlySet<string> = new Set([
  "allow",
  "content-type",
  "etag",
  "last-modified",
  "link",
  "location",
  "retry-after",
  "www-authenticate",
  "x-request-id",
  "x-ratelimit-remaining",
  "x-ratelimit-reset"
])

export const answerOf = (response: NetworkRead.Response): typeof WebAnswer.Type => {
  const { body, headers, status, url } = response
  const text = Plain.plain(response)
  return {
    url,
    status,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => loggedHeaders.has(name))),
    totalBytes: body.length,
    ...(text === null ? {} : { text })
  }
}

/** Formats the response like an HTTP message: status, headers, an empty line, the body. */
export const format = ({ headers, status, text, totalBytes, url }: typeof WebAnswer.Type): string =>
  [
    `${status} ${url}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    "",
    text ?? (totalBytes === 0 ? "[no body]" : `[${totalBytes} bytes that are not text]`)
  ].join("\n")
