/** The JSON text of a frame, encoded once for all readers. */
import type { Frame } from "@bough/gateway-api"

const texts = new WeakMap<Frame.Frame, string>()

export const fromFrame = (frame: Frame.Frame): string => {
  const known = texts.get(frame)
  if (known !== undefined) return known
  const text = JSON.stringify(frame)
  texts.set(frame, text)
  return text
}
