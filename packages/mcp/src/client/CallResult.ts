/**
 * The result of a call, parsed from the server's response: text and typed data for the model, images for models that
 * accept them. Pure.
 */
import type { Message } from "@bough/protocol"
import * as Predicate from "effect/Predicate"
import { plainText } from "./Definition.ts"

type Json = Readonly<Record<string, unknown>>

export interface CallResult {
  /** True: the server reports that the call failed. */
  readonly isError: boolean
  readonly text: string
  /** Typed data; null: there is none. */
  readonly structured: Json | null
  readonly media: ReadonlyArray<Message.Media>
}

const imageTypes: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"])
const maxImages = 16
const maxImageLength = Math.ceil((5 * 1024 * 1024) / 3) * 4
const base64 = /^[A-Za-z0-9+/]+={0,2}$/u

/** Reads the result of `tools/call`. Parts that a model cannot read are only named. */
export const read = (result: unknown): CallResult => {
  const fields = Predicate.isReadonlyObject(result) ? result : {}
  const parts = (Array.isArray(fields["content"]) ? fields["content"] : []).filter(Predicate.isReadonlyObject)
  const images = parts.flatMap(imageOf)
  const media = images.slice(0, maxImages)
  const structured = Predicate.isReadonlyObject(fields["structuredContent"]) ? fields["structuredContent"] : null
  const written = parts.map(textOf).filter((text) => text !== "")
  if (images.length > media.length) written.push(`[${images.length - media.length} more images are left out]`)
  const text = written.length === 0 && structured !== null ? JSON.stringify(structured) : written.join("\n")
  return { isError: fields["isError"] === true, text: plainText(text), structured, media }
}

/** Passes every text of the result through `hide`. */
export const redactResult = (result: CallResult, hide: (text: string) => string): CallResult => ({
  ...result,
  text: hide(result.text),
  structured: result.structured === null ? null : (hidden(result.structured, hide) as Json)
})

const hidden = (value: unknown, hide: (text: string) => string): unknown => {
  if (typeof value === "string") return hide(value)
  if (Array.isArray(value)) return value.map((item) => hidden(item, hide))
  return Predicate.isReadonlyObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, item]) => [hide(key), hidden(item, hide)]))
    : value
}

const imageOf = (part: Json): ReadonlyArray<Message.Media> => {
  const resource = part["type"] === "resource" && Predicate.isReadonlyObject(part["resource"]) ? part["resource"] : {}
  const data = part["type"] === "image" ? part["data"] : resource["blob"]
  const mediaType = part["type"] === "image" ? part["mimeType"] : resource["mimeType"]
  if (typeof mediaType !== "string" || typeof data !== "string") return []
  const fits = data.length <= maxImageLength && data.length % 4 === 0 && base64.test(data)
  if (!imageTypes.has(mediaType) || !fits) return []
  const found = imageTypeOf(data)
  return found === null ? [] : [{ mediaType: found, data }]
}

/** Returns the image type according to the first bytes, since a server may claim another type; null: no known image. */
const imageTypeOf = (data: string): string | null => {
  const head = atob(data.slice(0, 16))
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "image/png"
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg"
  if (head.startsWith("GIF8")) return "image/gif"
  return head.startsWith("RIFF") && head.slice(8) === "WEBP" ? "image/webp" : null
}

const textOf = (part: Json): string => {
  switch (part["type"]) {
    case "text":
      return typeof part["text"] === "string" ? part["text"] : ""
    case "image":
    case "audio":
      return imageOf(part).length > 0 ? "" : omittedText(String(part["mimeType"]), part["data"])
    case "resource_link":
      return `[resource ${oneLine(part["uri"])}${typeof part["name"] === "string" ? `: ${oneLine(part["name"])}` : ""}]`
    case "resource": {
      const resource = Predicate.isReadonlyObject(part["resource"]) ? part["resource"] : {}
      if (typeof resource["text"] === "string") return `[resource ${oneLine(resource["uri"])}]\n${resource["text"]}`
      return imageOf(part).length > 0 ? "" : omittedText(String(resource["mimeType"]), resource["blob"])
    }
    default:
      return `[a part of the kind ${oneLine(part["type"])} is left out]`
  }
}

const omittedText = (mediaType: string, data: unknown): string =>
  `[${oneLine(mediaType)}, ${typeof data === "string" ? Math.floor((data.length * 3) / 4) : 0} bytes, is left out]`

const oneLine = (value: unknown): string => plainText(String(value)).replaceAll("\n", " ").slice(0, 500)
