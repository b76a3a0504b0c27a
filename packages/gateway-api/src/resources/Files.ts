/** Files that users upload and download: their names, their bytes as a request and as a response. */
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Schema from "effect/Schema"
import { limits } from "../Limits.ts"

/** A name without folders, and without characters that would reorder it in display. */
export const FileName = Schema.NonEmptyString.check(
  Schema.isMaxLength(limits.fileNameLength),
  // oxlint-disable-next-line no-control-regex -- control characters are what it refuses
  Schema.isPattern(/^(?!\.{1,2}$)[^\u0000-\u001f\u007f/\\\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+$/u, {
    expected: "a file name without folders and marks of direction"
  })
)

/** The bytes of an uploaded file, which are written to disk as they arrive. */
export const Upload = HttpApiSchema.StreamUint8Array({
  contentType: "application/octet-stream",
  maxBytes: limits.uploadBytes
})

/**
 * The bytes of a file. The media type is detected from the bytes; headers tell browsers to save the file, not to guess
 * another type, and not to execute it.
 */
export const Download = HttpApiSchema.StreamUint8Array({ contentType: "*/*" })
