/** The images behind paths that a user dropped: regular files of a kind and a size that models accept. */
import { SystemError } from "@bough/disk"
import { imageType } from "@bough/pack-files"
import type { Image } from "@bough/tui/editor/Image"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { constants } from "node:fs"
import { type FileHandle, open } from "node:fs/promises"
import { resolve } from "node:path"

/** A file that exists and cannot be attached; `message` gives the reason. */
export class ImageRefused extends Schema.TaggedError<ImageRefused>()("ImageRefused", {
  path: Schema.String,
  message: Schema.String
}) {}

export interface ImageLocation {
  /** The directory of relative paths. */
  readonly workspaceRoot: string
  /** The directory that `~` stands for. */
  readonly home: string
}

/** The maximum number of bytes: 5 MiB after base64, the lowest limit of any known provider. */
export const maxBytes = 3_932_160

export interface ImageSearch {
  readonly images: ReadonlyArray<Image>
  readonly refused: ReadonlyArray<ImageRefused>
}

/** Implements the editor's `FindImages`: a path without a file is in neither list. */
export const find = (location: ImageLocation, paths: ReadonlyArray<string>): Effect.Effect<ImageSearch> =>
  Effect.map(
    Effect.forEach(paths, (path) => Effect.result(load(location, path))),
    (results) => ({
      images: results.flatMap((result) =>
        result._tag === "Success" && result.success !== null ? [result.success] : []
      ),
      refused: results.flatMap((result) => (result._tag === "Failure" ? [result.failure] : []))
    })
  )

/** Null: there is no such file. */
const load = (location: ImageLocation, path: string): Effect.Effect<Image | null, ImageRefused> =>
  Effect.acquireUseRelease(
    Effect.tryPromise({
      // Non-blocking: a FIFO in place of the file must not block the program.
      try: () => open(absolute(location, path), constants.O_RDONLY | constants.O_NONBLOCK),
      catch: (cause) => (isAbsent(cause) ? null : new ImageRefused({ path, message: SystemError.reason(cause) }))
    }),
    (file) =>
      Effect.flatMap(
        attempt(path, () => read(file)),
        (found) => ("refused" in found ? refuse(path, found.refused) : Effect.succeed({ path, media: found }))
      ),
    (file) => Effect.promise(() => file.close())
  ).pipe(Effect.catch((error) => (error === null ? Effect.succeed(null) : Effect.fail(error))))

const refuse = (path: string, message: string) => Effect.fail(new ImageRefused({ path, message }))

const attempt = <A>(path: string, work: () => Promise<A>) =>
  Effect.tryPromise({ try: work, catch: (cause) => new ImageRefused({ path, message: SystemError.reason(cause) }) })

const absolute = ({ home, workspaceRoot }: ImageLocation, path: string): string =>
  path.startsWith("~/") ? resolve(home, path.slice(2)) : resolve(workspaceRoot, path)

const isAbsent = (error: unknown): boolean => ["ENOENT", "ENOTDIR"].includes(SystemError.codeOf(error))

const read = async (file: FileHandle) => {
  const stats = await file.stat()
  if (!stats.isFile()) return { refused: "it is not a file" }
  if (stats.size > maxBytes) return { refused: `it has ${stats.size} bytes; at most ${maxBytes} are sent` }
  const bytes = await file.readFile()
  const mediaType = imageType(bytes)
  return mediaType === null || bytes.length > maxBytes
    ? { refused: "it is not a PNG, JPEG, GIF or WebP image" }
    : { mediaType, data: bytes.toString("base64") }
}
