/**
 * Writes the frames of a reader straight to its response: all frames of one turn of the event loop are one
 * write, and no fiber is woken.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import type { Frames } from "./FrameBuffer.ts"
import type { ChunkWriter } from "./ResponseChunks.ts"
import type { FeedReader } from "./TreeFeed.ts"

/**
 * Writes until the reader has ended. While the client does not read, nothing is taken: the reader falls behind and ends.
 * `format` returns the text of frames, empty if the client gets none of them.
 */
export const write = (
  { stream, write: writeText }: ChunkWriter,
  { listen, take }: Pick<FeedReader, "listen" | "take">,
  format: (frames: Frames) => string
): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    let isOpen = true
    const close = (): void => {
      isOpen = false
      unlisten()
      stream.off("drain", pump)
    }
    const writeTaken = (): void => {
      while (!stream.destroyed && !stream.writableNeedDrain) {
        const taken = take()
        if (taken === null) return
        if (taken === "ended") {
          close()
          resume(Effect.void)
          return
        }
        const text = format(taken)
        if (text !== "") writeText(text)
      }
    }
    /** Runs outside of any fiber, so a bug must not be thrown from it. */
    const pump = (): void => {
      if (!isOpen) return
      const pumped = Result.try({ try: writeTaken, catch: (thrown) => thrown })
      if (Result.isSuccess(pumped)) return
      close()
      resume(Exit.die(pumped.failure))
    }
    const unlisten = listen(pump)
    stream.on("drain", pump)
    pump()
    return Effect.sync(close)
  })
