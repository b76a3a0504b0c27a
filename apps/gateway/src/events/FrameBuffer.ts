/**
 * The newest frames of a tree, for readers that take them at their own pace. A frame is held until every reader has taken it, and
 * dropped before that where too many are newer: a slow reader misses it, and delays no other reader.
 */
import type { Frame } from "@bough/gateway-api"

export type Frames = readonly [Frame.Frame, ...Array<Frame.Frame>]

export interface FrameReader {
  /** Returns the frames since the last time; null: there are none. "missed": some of them are gone. */
  readonly take: () => Frames | "missed" | null
  readonly close: () => void
}

export interface FrameBuffer {
  readonly push: (frame: Frame.Frame) => void
  /** A reader of the frames that come from now on. */
  readonly open: () => FrameReader
  /** The number of frames that are held. */
  readonly size: () => number
  /** Milliseconds for which the oldest frame has waited that a reader has not taken; 0: every reader has all. */
  readonly lagMillis: () => number
}

/** Frames that many readers have taken are dropped in lots: to find the slowest reader costs more than they do. */
const few = 4
const lot = 64

export const make = (capacity: number): FrameBuffer => {
  let frames: Array<Frame.Frame> = []
  /** The times at which they came, on this process's clock. */
  let times: Array<number> = []
  /** The number of the first frame that is held. */
  let first = 0
  const readers = new Set<{ next: number }>()

  const drop = (count: number): void => {
    if (count <= 0) return
    frames = frames.slice(count)
    times = times.slice(count)
    first += count
  }
  const dropTaken = (): void => drop(Math.min(...Array.from(readers, ({ next }) => next)) - first)

  return {
    push: (frame) => {
      if (readers.size === 0) {
        first += 1
        return
      }
      frames.push(frame)
      times.push(performance.now())
      if (frames.length >= capacity + lot) drop(frames.length - capacity)
    },
    open: () => {
      const reader = { next: first + frames.length }
      readers.add(reader)
      return {
        take: () => {
          const last = first + frames.length
          if (last - reader.next > capacity) return "missed"
          if (reader.next === last) return null
          const taken = frames.slice(reader.next - first)
          reader.next = last
          if (readers.size <= few || frames.length >= lot) dropTaken()
          return taken as [Frame.Frame, ...Array<Frame.Frame>]
        },
        close: () => {
          readers.delete(reader)
          if (readers.size === 0) drop(frames.length)
          else dropTaken()
        }
      }
    },
    size: () => frames.length,
    lagMillis: () => {
      const oldest = Math.max(first, Math.min(...Array.from(readers, ({ next }) => next)))
      const at = times[oldest - first]
      return at === undefined ? 0 : performance.now() - at
    }
  }
}
