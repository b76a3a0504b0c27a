/**
 * The frames of one tree for all readers in this process. Entries come from the journal, in its order; the host's
 * events signal new entries, and carry what no entry records. Readers take frames at their own pace from the buffer of
 * the newest frames.
 */
import { Frame, Limits } from "@bough/gateway-api"
import type { Entry, EventStream, Session } from "@bough/protocol"
import { Host, type SessionStore } from "@bough/runtime"
import * as Waiters from "@bough/runtime/journal/Waiters"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as FrameBuffer from "./FrameBuffer.ts"
import * as Replies from "./Replies.ts"
import * as TransientFrame from "./TransientFrame.ts"
import * as TreeJournal from "./TreeJournal.ts"

/** The interval at which the journal is read if another process owns the tree. */
const lookMillis = 500

export interface ReadOptions {
  /** Frames that follow the stored entries. */
  readonly first?: ReadonlyArray<Frame.Frame>
  /** The reader ends once it has returned. */
  readonly until?: Effect.Effect<void>
}

/**
 * A reader that takes frames without an effect, because the work per frame and reader dominates the load of a gateway.
 */
export interface FeedReader {
  /** The stored frames and the replies in progress when the reader began; the caller uses it before `take`. */
  readonly beginning: Effect.Effect<ReadonlyArray<Frame.Frame>, FeedFailed>
  /** Returns the frames since the last call; null: there are no new ones; "ended": none will follow. */
  readonly take: () => Frames | "ended" | null
  /** Calls the function when new frames may be available, until the returned function is called. */
  readonly listen: (onMore: () => void) => () => void
}

export interface TreeFeed {
  readonly treeId: Session.SessionId
  /**
   * Opens a reader of everything after that position; null: from the first entry on. The last frame is a Resume, unless
   * `until` ended it.
   */
  readonly open: (
    after: Frame.FramePosition | null | "latest",
    options?: ReadOptions
  ) => Effect.Effect<FeedReader, never, Scope.Scope>
  /** The same reader as a stream. */
  readonly read: (
    after: Frame.FramePosition | null | "latest",
    options?: ReadOptions
  ) => Stream.Stream<Frame.Frame, FeedFailed>
  /** True if more than one reader takes the frames. */
  readonly isShared: () => boolean
  /** Milliseconds by which the slowest reader lags behind. */
  readonly lagMillis: () => number
}

type Frames = FrameBuffer.Frames

interface Reader {
  readonly frames: FrameBuffer.FrameReader
  /** The last heartbeat. */
  beat: number
  /** The newest entry that the reader has. */
  place: Frame.FramePosition | null
  isEnded: boolean
}

/** The first frame confirms the reader's position: from then on it gets every stored entry. */
export const heartbeat: Frame.Frame = { _tag: "Heartbeat" }

/**
 * How soon the readers get a frame. A write costs more than everything else that is done for a frame, so the frames of a
 * step are written together:
 * - `now`: text, approvals, and everything that ends or begins a turn;
 * - `paced`: the calls of a step, at most once in `Waiters.lateMillis`;
 * - `later`: a frame that shows nothing new to a user, with the next frame.
 */
type Urgency = "now" | "paced" | "later"

const entryUrgency: Partial<Record<Entry.Body["_tag"], Urgency>> = {
  StepStarted: "later",
  ModelReplied: "paced",
  CallStarted: "paced",
  CallEnded: "paced"
}
const urgencyOf = (frame: Frame.Frame): Urgency => {
  if (frame._tag === "Entry") return entryUrgency[frame.entry.body._tag] ?? "now"
  return frame._tag === "ToolStarted" || frame._tag === "ToolProgressed" ? "paced" : "now"
}

export type FeedFailed = SessionStore.JournalCorrupt | SessionStore.StoreFailed

interface FeedContext {
  readonly host: Pick<Host.Host["Service"], "follow">
  readonly store: SessionStore.SessionStore["Service"]
  readonly treeId: Session.SessionId
}

/** Feeds the readers of a tree until the scope closes. */
export const make = Effect.fnUntraced(function* ({ host, store, treeId }: FeedContext) {
  const cursor = yield* TreeJournal.cursorAtEnd(store, treeId)
  const replies = Replies.make()
  const buffer = FrameBuffer.make(Limits.limits.lagFrames)
  const { calls, listen, moreSince, wake, wakeLater, wakePaced } = Waiters.make()
  let beats = 0
  let isGone = false
  /** The most urgent frame that was pushed since readers were last woken; null: none was. */
  let pushed: Urgency | null = null

  const push = (frame: Frame.Frame): void => {
    buffer.push(frame)
    const urgency = urgencyOf(frame)
    if (pushed === null || urgency === "now" || pushed === "later") pushed = urgency
  }
  /** Wakes the readers if frames were pushed. */
  const wakeReaders = (): void => {
    if (pushed === "now") wake()
    else if (pushed === "paced") wakePaced()
    else if (pushed === "later") wakeLater()
    pushed = null
  }
  const record = (frame: Frame.FrameOf<"Entry">): void => {
    replies.settle(frame)
    push(frame)
  }
  const advance = Effect.map(TreeJournal.advance(store, treeId, { cursor, use: record }), (isThere) => {
    if (isThere) return wakeReaders()
    isGone = true
    wake()
  })

  /** Passes an event on to the readers if the cursor knows its session; false: read the journal first. */
  const receiveAtOnce = (item: EventStream.Item): boolean => {
    if (item._tag === "Gap") return false
    const { event } = item
    if (event._tag === "Attached") return true
    const known = cursor.sessions.get(event.sessionId)
    if (event._tag === "Recorded") {
      if (known !== undefined && event.entry.seq < known.seq) return true
      const frame = TreeJournal.follow(cursor, treeId, event.entry)
      if (frame !== null) record(frame)
      return frame !== null
    }
    // A session without a position has just begun.
    if (known === undefined) return false
    const frame = TransientFrame.fromEvent(event, treeId, known)
    if (frame._tag === "Delta") replies.add(frame)
    push(frame)
    return true
  }
  /** The items that wait for a read of the journal. */
  let rest: ReadonlyArray<EventStream.Item> = []
  let onRest: (() => void) | null = null
  const untilRest = Effect.callback<void>((resume) => {
    if (rest.length > 0) return resume(Effect.void)
    onRest = () => resume(Effect.void)
    return Effect.sync(() => (onRest = null))
  })
  /** Receives items in order up to one that needs the journal. */
  const receive = (items: ReadonlyArray<EventStream.Item>): void => {
    const at = items.findIndex((item) => !receiveAtOnce(item))
    if (at === -1) return
    rest = items.slice(at)
    onRest?.()
  }
  /** Runs outside of any fiber: waking a fiber would dominate the cost of an event. */
  const receiveAll = (take: () => ReadonlyArray<EventStream.Item> | null): void => {
    for (let items = rest.length > 0 ? null : take(); items !== null; items = rest.length > 0 ? null : take()) {
      receive(items)
    }
    wakeReaders()
  }
  /** Reads the journal, then passes on an event that no entry records, if its session was found. */
  const receiveAfterReading = Effect.suspend(() => {
    const [item] = rest
    if (item === undefined) return untilRest
    return Effect.map(advance, () => {
      if (item._tag !== "Gap" && item.event._tag !== "Recorded") receiveAtOnce(item)
      const following = rest.slice(1)
      rest = []
      receive(following)
    })
  })
  const followHost = Effect.gen(function* () {
    const { ended, listen, take } = yield* host.follow(treeId, null)
    rest = []
    const receiveNow = (): void => receiveAll(take)
    yield* Effect.acquireRelease(
      Effect.sync(() => listen(receiveNow)),
      (unlisten) => Effect.sync(unlisten)
    )
    receiveNow()
    const readLoop = Effect.forever(
      Effect.andThen(
        receiveAfterReading,
        Effect.sync(() => receiveNow())
      )
    )
    return yield* Effect.raceFirst(ended, readLoop)
  })

  yield* Effect.scoped(followHost).pipe(
    // Only the journal shows what another process does.
    Effect.catchTag("TreeBusy", () => advance),
    Effect.catchTag("SessionNotFound", () =>
      Effect.sync(() => {
        isGone = true
        wake()
      })
    ),
    Effect.catch((error) => Effect.logWarning(error.message)),
    Effect.andThen(Effect.sleep(lookMillis)),
    Effect.repeat({ until: () => isGone }),
    Effect.forkScoped
  )

  // One clock for all readers: a timer per wait would cost more than a frame.
  yield* Effect.sleep(Limits.limits.heartbeatMillis).pipe(
    Effect.andThen(
      Effect.sync(() => {
        beats += 1
        wake()
      })
    ),
    Effect.forever,
    Effect.forkScoped
  )

  const end = (reader: Reader): void => {
    reader.isEnded = true
    wake()
  }
  /** The last frame of a reader, from which it resumes. */
  const leave = (reader: Reader, reason: Frame.FrameOf<"Resume">["reason"]): Frames => {
    reader.isEnded = true
    const after = reader.place === null ? null : Frame.format(reader.place)
    return [{ _tag: "Resume", after, reason, retryAfterMillis: 0 }]
  }
  const pass = (reader: Reader, frame: Frame.Frame): void => {
    if (frame._tag === "Entry") reader.place = Frame.parse(frame.id)
  }

  /** Reads the entries that a reader lacks, up to a position. */
  const readMissed = (after: Frame.FramePosition | null, upTo: Frame.FramePosition) =>
    Effect.gen(function* () {
      const ownCursor = yield* TreeJournal.cursorAt(store, treeId, after)
      const frames: Array<Frame.Frame> = []
      yield* TreeJournal.advance(store, treeId, { cursor: ownCursor, upTo, use: (frame) => void frames.push(frame) })
      return frames
    })

  /** Returns the frames that a reader lacks; null if it lacks none. */
  const take = (reader: Reader): Frames | null => {
    const taken = reader.frames.take()
    if (taken === "missed") return leave(reader, "slow")
    if (taken !== null) {
      const last = taken.findLast(({ _tag }) => _tag === "Entry")
      if (last !== undefined) pass(reader, last)
      return taken
    }
    if (isGone) return leave(reader, "deleted")
    if (reader.beat === beats) return null
    reader.beat = beats
    return [heartbeat]
  }

  const open: TreeFeed["open"] = Effect.fnUntraced(function* (after, { first = [], until = Effect.never } = {}) {
    // Taken at one moment: the stored position, the partial reply, and the frames from then on.
    const { frames, upTo, whole } = yield* Effect.acquireRelease(
      Effect.sync(() => ({
        frames: buffer.open(),
        upTo: cursor.place,
        whole: [...replies.whole(), ...first]
      })),
      ({ frames }) => Effect.sync(frames.close)
    )
    const place = after === "latest" ? upTo : after
    const reader: Reader = { frames, beat: beats, place, isEnded: false }
    yield* until.pipe(Effect.andThen(Effect.sync(() => end(reader))), Effect.forkScoped)
    const older =
      after === "latest" || upTo === null || (after !== null && !Frame.isAfter(upTo, after))
        ? Effect.succeed([])
        : readMissed(after, upTo)
    const beginning = Effect.map(older, (entries) => {
      if (reader.isEnded) return []
      for (const frame of entries) pass(reader, frame)
      return [...entries, ...whole]
    })
    return { beginning, take: () => (reader.isEnded ? "ended" : take(reader)), listen }
  })

  const read: TreeFeed["read"] = (after, options) =>
    Stream.unwrap(
      Effect.map(open(after, options), (reader) => {
        const live = Effect.gen(function* (): Effect.fn.Return<Frames, Cause.Done> {
          while (true) {
            const seen = calls()
            const taken = reader.take()
            if (taken === "ended") return yield* Cause.done()
            if (taken !== null) return taken
            yield* moreSince(seen)
          }
        })
        return Stream.succeed(heartbeat).pipe(
          Stream.concat(Stream.fromIterableEffect(reader.beginning)),
          Stream.concat(Stream.fromPull(Effect.succeed(live)))
        )
      })
    )

  return { treeId, open, read, isShared: () => buffer.readers() > 1, lagMillis: buffer.lagMillis } satisfies TreeFeed
})
