/** The attachments of a message: images for the model, other files in the workspace, named in the text. */
import { Limits, Problem } from "@bough/gateway-api"
import type { Message, Session } from "@bough/protocol"
import * as Effect from "effect/Effect"
import { readFile } from "node:fs/promises"
import type { StoredAttachment } from "./Attachments.ts"
import * as SessionFiles from "./SessionFiles.ts"

const imageTypes: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"])
const folder = "attachments"
const shownDigits = 8
const nameLength = 100

/** The part of a message's input that comes from its attachments. */
export interface MessageFiles {
  readonly media: ReadonlyArray<Message.Media>
  /** The text that follows the text of the message; "" if no file was copied into the workspace. */
  readonly text: string
}

/**
 * The name in the workspace: stable and unique for an attachment, and not hidden in listings.
 */
export const pathOf = ({ id, name }: Pick<StoredAttachment, "id" | "name">): string => {
  const cut = name.slice(-nameLength).toWellFormed()
  return `${folder}/${id.slice(-shownDigits)}-${cut.replaceAll(/[^\p{L}\p{N}._-]/gu, "_")}`
}

const isShown = ({ bytes, mediaType }: StoredAttachment): boolean =>
  imageTypes.has(mediaType) && bytes <= Limits.limits.messageImageBytes

const bytesOf = ({ path }: StoredAttachment) => Effect.promise(() => readFile(path))

const put = (session: Session.Summary, attachment: StoredAttachment) =>
  Effect.gen(function* () {
    const content = yield* bytesOf(attachment)
    const path = pathOf(attachment)
    yield* SessionFiles.write(session, (files) => files.writeFile(path, content)).pipe(
      Effect.mapError(({ message }) => new Problem.Unprocessable({ code: "attachment_refused", detail: message }))
    )
    return `- ${path} (${attachment.mediaType}, ${attachment.bytes} bytes)`
  })

/** Prepares the files for a message to that session. For a repeated message they exist already. */
export const make = Effect.fnUntraced(function* (
  session: Session.Summary,
  attachments: ReadonlyArray<StoredAttachment>
) {
  const media: Array<Message.Media> = []
  const lines: Array<string> = []
  let shown = 0
  for (const attachment of attachments) {
    // The prompt is bounded: further images are treated like other files.
    if (isShown(attachment) && shown + attachment.bytes <= Limits.limits.messageImageBytes) {
      shown += attachment.bytes
      const data = yield* bytesOf(attachment)
      media.push({ mediaType: attachment.mediaType, data: data.toString("base64") })
    } else lines.push(yield* put(session, attachment))
  }
  const text = lines.length === 0 ? "" : `\n\nAttached files, in the workspace:\n${lines.join("\n")}`
  return { media, text } satisfies MessageFiles
})
