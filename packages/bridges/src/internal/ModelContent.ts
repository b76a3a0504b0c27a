/** The content of a result for the model: its text alone, or its text and its files as parts. */
import type { Message } from "@bough/protocol"
import type { CrossedResult, CrossedUpdate } from "./CrossedResult.ts"

interface TextPart {
  readonly type: "text"
  readonly text: string
}

export const fromResult = <File>(
  { media, text }: Pick<CrossedResult, "media" | "text">,
  file: (media: Message.Media) => File
): string | Array<TextPart | File> => (media.length === 0 ? text : [{ type: "text", text }, ...media.map(file)])

export const fromUpdate = <File>(
  update: CrossedUpdate,
  file: (media: Message.Media) => File
): string | Array<TextPart | File> => (update.status === "running" ? update.progress : fromResult(update, file))

export const isImage = ({ mediaType }: Message.Media): boolean => mediaType.startsWith("image/")
