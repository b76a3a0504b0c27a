/** Determines the kind of a file from its content; its name and the sender's claim do not count. */
import { TextFormat } from "@bough/text"
import * as ImageType from "@bough/tool/ImageType"
import * as Effect from "effect/Effect"

export interface FileKind {
  readonly mediaType: string
  readonly extension: string
}

const text: FileKind = { mediaType: "text/plain", extension: "txt" }
const unknown: FileKind = { mediaType: "application/octet-stream", extension: "bin" }

/** Matches HTML, SVG and other active text. Its type becomes `text/plain`, so that no viewer executes it. */
const active = /html|[/+]xml|javascript/u

export const detect = (bytes: Uint8Array): Effect.Effect<FileKind> =>
  Effect.gen(function* () {
    const { fileTypeFromBuffer } = yield* Effect.promise(() => import("file-type"))
    // The kind of a damaged file is unknown.
    const found = yield* Effect.promise(() => fileTypeFromBuffer(bytes).catch(() => undefined))
    if (found !== undefined && !active.test(found.mime)) return { mediaType: found.mime, extension: found.ext }
    // The library needs more bytes of an image than its signature.
    const image = ImageType.fromBytes(bytes)
    if (image !== null) return { mediaType: image, extension: image.slice("image/".length).replace("jpeg", "jpg") }
    return TextFormat.isBinary(bytes) ? unknown : text
  })
