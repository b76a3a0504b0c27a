/** One reader of a tree: the frames that it lacks, and the position from which it resumes. */
import { Frame } from "@bough/gateway-api"
import type * as FrameBuffer from "./FrameBuffer.ts"
import type { TreeFrames } from "./TreeFrames.ts"

/** The first frame confirms the reader's position: from then on it gets every stored entry. */
export const heartbeat: Frame.Frame = { _tag: "Heartbeat" }

export interface TreeReaderOptions {
  readonly tree: TreeFrames
  readonly frames: FrameBuffer.FrameReader
  /** The newest entry that the reader has; null: it has none. */
  readonly position: Frame.FramePosition | null
}

export class TreeReader {
  readonly #tree: TreeFrames
  readonly #frames: FrameBuffer.FrameReader
  #position: Frame.FramePosition | null
  /** The last heartbeat that it received. */
  #heartbeat: number
  #hasEnded = false

  constructor({ frames, position, tree }: TreeReaderOptions) {
    this.#tree = tree
    this.#heartbeat = tree.heartbeats
    this.#frames = frames
    this.#position = position
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  end(): void {
    this.#hasEnded = true
    this.#tree.waiters.wake()
  }

  /** Moves the position past an entry that the reader receives. */
  advancePast(frame: Frame.Frame): void {
    if (frame._tag === "Entry") this.#position = Frame.parse(frame.id)
  }

  /** Returns the frames since the last call; null: there are no new ones; "ended": none will follow. */
  take(): FrameBuffer.Frames | "ended" | null {
    if (this.#hasEnded) return "ended"
    const taken = this.#frames.take()
    if (taken === "missed") return this.#resume("slow")
    if (taken !== null) {
      const newest = taken.findLast(({ _tag }) => _tag === "Entry")
      if (newest !== undefined) this.advancePast(newest)
      return taken
    }
    if (this.#tree.isGone) return this.#resume("deleted")
    if (this.#heartbeat === this.#tree.heartbeats) return null
    this.#heartbeat = this.#tree.heartbeats
    return [heartbeat]
  }

  /** Ends the reader with its last frame, from which it resumes. */
  #resume(reason: Frame.FrameOf<"Resume">["reason"]): FrameBuffer.Frames {
    this.#hasEnded = true
    const after = this.#position === null ? null : Frame.format(this.#position)
    return [{ _tag: "Resume", after, reason, retryAfterMillis: 0 }]
  }
}
