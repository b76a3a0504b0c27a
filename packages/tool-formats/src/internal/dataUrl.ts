/** Images as `data:` URLs. */
import type { Message } from "@bough/protocol"

export const dataUrl = ({ data, mediaType }: Message.Media): string => `data:${mediaType};base64,${data}`

/** Returns the image of a `data:` URL; empty for any other URL, which is not fetched. */
export const fromDataUrl = (url: string): ReadonlyArray<Message.Media> => {
  const [, mediaType, data] = /^data:([^;,]+);base64,(.*)$/su.exec(url) ?? []
  return mediaType === undefined || data === undefined ? [] : [{ mediaType, data }]
}
