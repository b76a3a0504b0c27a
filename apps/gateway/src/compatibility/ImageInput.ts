/** Images in a client's message. They are part of the request: addresses are not fetched. */
import type { Message } from "@bough/protocol"

const types: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"])
const dataUrl = /^data:(?<mediaType>[a-z]+\/[a-z0-9.+-]+);base64,(?<data>[A-Za-z0-9+/]+={0,2})$/u

export const refusal = `images are sent as data: URLs of ${[...types].join(", ")}; addresses are not fetched`

/** Null: it is not an image that a message can contain. */
export const fromUrl = (url: string): Message.Media | null => {
  const { data, mediaType } = dataUrl.exec(url)?.groups ?? {}
  return mediaType !== undefined && data !== undefined && types.has(mediaType) ? { mediaType, data } : null
}
