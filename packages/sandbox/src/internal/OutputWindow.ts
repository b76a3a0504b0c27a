/** The newest output of a running command, by offsets from its beginning; readers wait for more. */
import * as Effect from "effect/Effect"

const maxLength = 1024 * 1024

export interface OutputWindow {
  /** The offset of the first character that is stored. */
  start: number
  text: string
  isClosed: boolean
  readonly waiting: Set<() => void>
}

export const make = (): OutputWindow => ({ start: 0, text: "", isClosed: false, waiting: new Set() })

const wake = ({ waiting }: OutputWindow): void => waiting.forEach((resume) => resume())

export const add = (window: OutputWindow, text: string): void => {
  if (text === "") return
  window.text += text
  if (window.text.length > 2 * maxLength) {
    const dropped = window.text.length - maxLength
    window.text = window.text.slice(dropped)
    window.start += dropped
  }
  wake(window)
}

/** Marks the end of the output. */
export const close = (window: OutputWindow): void => {
  window.isClosed = true
  wake(window)
}

/** Returns once there is output beyond the offset, or the end. */
export const waitBeyond = (window: OutputWindow, offset: number): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const look = () => {
      if (!window.isClosed && window.start + window.text.length <= offset) return
      window.waiting.delete(look)
      resume(Effect.void)
    }
    window.waiting.add(look)
    look()
    return Effect.sync(() => window.waiting.delete(look))
  })

const tailLength = 16 * 1024

/** Reads the stored output from the offset on; null: reads its end. */
export const read = (
  { start, text }: OutputWindow,
  fromOffset: number | null
): { readonly text: string; readonly fromOffset: number; readonly nextOffset: number } => {
  const end = start + text.length
  const from = Math.min(end, Math.max(start, fromOffset ?? end - tailLength))
  return { text: text.slice(from - start), fromOffset: from, nextOffset: end }
}
