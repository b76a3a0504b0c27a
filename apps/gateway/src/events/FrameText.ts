/** The JSON text of a frame. */
import type { Frame } from "@bough/gateway-api"

const texts = new WeakMap<Frame.Frame, string>()

/** `isShared`: more than one reader gets the frame, so its text is cached, which costs more than encoding it once. */
export const fromFrame = (frame: Frame.Frame, isShared: boolean): string => {
  if (!isShared) return JSON.stringify(frame)
  const known = texts.get(frame)
  if (known !== undefined) return known
  const text = JSON.stringify(frame)
  texts.set(frame, text)
  return text
}
