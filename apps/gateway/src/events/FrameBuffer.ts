/**
 * The newest frames of a tree, for readers of different speeds. A frame is kept until every reader has taken it, but at
 * most until the buffer is full. A slow reader therefore misses frames, and does not delay other readers.
 */
import type { Frame } from "@bough/gateway-api"

export type Frames = readonly [Frame.Frame, ...Array<Frame.Frame>]

export interface FrameReader {
  /** Returns the frames since the last call; null: there are none; "missed": some were dropped. */
  readonly take: () => Frames | "missed" | null
  readonly close: () => void
}

export interface FrameBuffer {
  readonly push: (frame: Frame.Frame) => void
  /** Opens a reader of the frames from now on. */
  readonly open: () => FrameReader
  /** The number of buffered frames. */
  readonly size: () => number
  /** The number of open readers. */
  readonly readers: () => number
  /** Milliseconds for which the oldest untaken frame has waited; 0: every reader is up to date. */
  readonly lagMillis: () => number
}

/** Taken frames are dropped in batches, because finding the slowest reader costs more than keeping them. */
const fewReaders = 4
const blockLength = 64

export const make = (capacity: number): FrameBuffer => {
  let frames: Array<Frame.Frame> = []
  /** The times at which the buffered frames arrived, on this process's clock. */
  let times: Array<number> = []
  /** The number of the first buffered frame. */
  let first = 0
  const readers = new Set<{ next: number }>()

  const slowest = (): number => {
    let smallest = Infinity
    for (const { next } of readers) if (next < smallest) smallest = next
    return smallest
  }
  const drop = (count: number): void => {
    if (count <= 0) return
    if (count === frames.length) {
      frames = []
      times = []
    } else {
      frames = frames.slice(count)
      times = times.slice(count)
    }
    first += count
  }
  const dropTaken = (): void => drop(slowest() - first)

  return {
    push: (frame) => {
      if (readers.size === 0) {
        first += 1
        return
      }
      frames.push(frame)
      times.push(performance.now())
      if (frames.length >= capacity + blockLength) drop(frames.length - capacity)
    },
    open: () => {
      const reader = { next: first + frames.length }
      readers.add(reader)
      return {
        take: () => {
          const last = first + frames.length
          if (last - reader.next > capacity) return "missed"
          if (reader.next === last) return null
          if (readers.size === 1 && reader.next === first) {
            const all = frames
            frames = []
            times = []
            first = reader.next = last
            return all as [Frame.Frame, ...Array<Frame.Frame>]
          }
          const taken = frames.slice(reader.next - first)
          reader.next = last
          if (readers.size <= fewReaders || frames.length >= blockLength) dropTaken()
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
    readers: () => readers.size,
    lagMillis: () => {
      const oldest = Math.max(first, slowest())
      const at = times[oldest - first]
      return at === undefined ? 0 : performance.now() - at
    }
  }
}
