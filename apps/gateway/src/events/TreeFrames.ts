/**
 * The frames of one tree: its position in the journal, the replies in progress, the newest frames, and the waiting
 * readers. Made from journal entries and from live events.
 */
import { type Frame, Limits } from "@bough/gateway-api"
import type { EventStream, Session } from "@bough/protocol"
import type { SessionStore } from "@bough/runtime"
import * as Waiters from "@bough/runtime/journal/Waiters"
import * as Effect from "effect/Effect"
import * as FrameBuffer from "./FrameBuffer.ts"
import * as FrameUrgency from "./FrameUrgency.ts"
import * as Replies from "./Replies.ts"
import * as TransientFrame from "./TransientFrame.ts"
import * as TreeJournal from "./TreeJournal.ts"

/** The state of the frames at one moment. */
export interface FramesSnapshot {
  /** Takes the frames from that moment on. */
  readonly frames: FrameBuffer.FrameReader
  /** The position of the last stored entry before it; null: there is none. */
  readonly upTo: Frame.FramePosition | null
  /** The replies in progress. */
  readonly replies: ReadonlyArray<Frame.Frame>
}

export class TreeFrames {
  readonly treeId: Session.SessionId
  readonly waiters = Waiters.make()
  readonly buffer = FrameBuffer.make(Limits.limits.lagFrames)
  /** Reads the entries since the last read. If the journal was deleted, the tree is marked as gone. */
  readonly readJournal: Effect.Effect<void, SessionStore.JournalCorrupt | SessionStore.StoreFailed>
  readonly #cursor: TreeJournal.TreeCursor
  readonly #replies = Replies.make()
  #isGone = false
  #heartbeats = 0
  /** The most urgent frame that was pushed since readers were last woken; null: none was. */
  #pushed: FrameUrgency.FrameUrgency | null = null

  constructor(store: SessionStore.SessionStore["Service"], treeId: Session.SessionId, cursor: TreeJournal.TreeCursor) {
    this.treeId = treeId
    this.#cursor = cursor
    const use = (frame: Frame.FrameOf<"Entry">): void => this.#record(frame)
    this.readJournal = Effect.map(TreeJournal.advance(store, treeId, { cursor, use }), (isThere) =>
      isThere ? this.wakeReaders() : this.markGone()
    )
  }

  /** True if the tree was deleted. */
  get isGone(): boolean {
    return this.#isGone
  }

  /** The number of heartbeats so far. */
  get heartbeats(): number {
    return this.#heartbeats
  }

  /** Sends every reader a heartbeat. */
  beat(): void {
    this.#heartbeats += 1
    this.waiters.wake()
  }

  markGone(): void {
    this.#isGone = true
    this.waiters.wake()
  }

  snapshot(): FramesSnapshot {
    return { frames: this.buffer.open(), upTo: this.#cursor.position, replies: this.#replies.whole() }
  }

  /** Passes an event on to the readers if the cursor knows its session; false: read the journal first. */
  passOn(item: EventStream.Item): boolean {
    if (item._tag === "Gap") return false
    const { event } = item
    if (event._tag === "Attached") return true
    const known = this.#cursor.sessions.get(event.sessionId)
    if (event._tag === "Recorded") {
      if (known !== undefined && event.entry.seq < known.seq) return true
      const frame = TreeJournal.follow(this.#cursor, this.treeId, event.entry)
      if (frame !== null) this.#record(frame)
      return frame !== null
    }
    // A session without a position has just begun.
    if (known === undefined) return false
    const frame = TransientFrame.fromEvent(event, this.treeId, known)
    this.#push(frame._tag === "Delta" ? this.#replies.add(frame) : frame)
    return true
  }

  /** Wakes the readers if frames were pushed. */
  wakeReaders(): void {
    if (this.#pushed === "now") this.waiters.wake()
    else if (this.#pushed === "paced") this.waiters.wakePaced()
    else if (this.#pushed === "later") this.waiters.wakeLater()
    this.#pushed = null
  }

  #record(frame: Frame.FrameOf<"Entry">): void {
    this.#replies.settle(frame)
    this.#push(frame)
  }

  #push(frame: Frame.Frame): void {
    this.buffer.push(frame)
    this.#pushed = FrameUrgency.max(this.#pushed, FrameUrgency.fromFrame(frame))
  }
}
