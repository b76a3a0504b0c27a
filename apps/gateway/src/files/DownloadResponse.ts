/** Responds with a file that browsers only save: they must not guess its type, run it, or show it in a page. */
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as Stream from "effect/Stream"

export interface Download {
  readonly name: string
  readonly mediaType: string
  readonly bytes: number
  readonly content: Uint8Array | Stream.Stream<Uint8Array, unknown>
}

/** Returns the last part of a path in a form that a header can contain. */
const baseName = (name: string): string => name.split(/[/\\]/u).at(-1) ?? "file"

/** Names the file in both forms of RFC 6266: in ASCII for old clients, in full for others. */
export const disposition = (name: string): string => {
  const base = baseName(name).toWellFormed()
  const plain = base.replaceAll(/[^\x20-\x7e]|["\\%;]/gu, "_")
  const encoded = encodeURIComponent(base).replaceAll(
    /['()*]/gu,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}

export const make = ({ bytes, content, mediaType, name }: Download): HttpServerResponse.HttpServerResponse => {
  const headers = {
    "content-disposition": disposition(name),
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
    "cache-control": "private, no-store"
  }
  return content instanceof Uint8Array
    ? HttpServerResponse.uint8Array(content, { contentType: mediaType, headers })
    : HttpServerResponse.stream(content, { contentType: mediaType, contentLength: bytes, headers })
}
