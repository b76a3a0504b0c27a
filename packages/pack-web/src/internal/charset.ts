/**
 * Decodes bytes as text by their byte order mark, by the charset that the server or the page declares, or by the bytes
 * themselves.
 */
import { TextFormat } from "@bough/text"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { isUtf8 } from "node:buffer"

/** Matches a page's declaration of its charset. */
const declared =
  /<meta[^>]{0,200}charset\s*=\s*["']?\s*([\w.:-]{1,40})|<\?xml[^>]{0,100}encoding\s*=\s*["']([\w.:-]{1,40})/i
const headBytes = 2048

export const decode = (bytes: Uint8Array, contentType: string): string => {
  const marked = TextFormat.markedEncoding(bytes)
  if (marked !== "utf-8" && marked !== "latin1") return TextFormat.decode(bytes).text
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, headBytes))
  const found = declared.exec(head)
  const names = [/charset\s*=\s*"?\s*([\w.:-]{1,40})/i.exec(contentType)?.[1], found?.[1] ?? found?.[2]]
  for (const name of names) {
    const decoder = decoderOf(name ?? "")
    // If the page wrongly declares UTF-8, decoding would lose every letter that is not ASCII.
    if (decoder !== null && (decoder.encoding !== "utf-8" || isUtf8(bytes))) return decoder.decode(bytes)
  }
  return new TextDecoder(isUtf8(bytes) ? "utf-8" : "windows-1252").decode(bytes)
}

/** Returns a decoder; null: the encoding is unknown. */
const decoderOf = (name: string): TextDecoder | null =>
  Option.getOrNull(Result.getSuccess(Result.try(() => new TextDecoder(name))))
