/**
 * The frames of one tree for all readers in this process. Entries come from the journal, in its order; the host's
 * events signal new entries, and carry what no entry records. Readers take frames at their own pace from the buffer of
 * the newest frames.
 */
import { Frame, Limits } from "@bough/gateway-api"
import type { Session } from "@bough/protocol"
import type { Host, SessionStore } from "@bough/runtime"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type * as FrameBuffer from "./FrameBuffer.ts"
import * as TreeFollower from "./TreeFollower.ts"
import { TreeFrames } from "./TreeFrames.ts"
import * as TreeJournal from "./TreeJournal.ts"
import { heartbeat, TreeReader } from "./TreeReader.ts"

/** The interval at which the journal is read if another process owns the tree. */
const pollMillis = 500

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
  readonly take: () => FrameBuffer.Frames | "ended" | null
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

export type FeedFailed = SessionStore.JournalCorrupt | SessionStore.StoreFailed

type Store = SessionStore.SessionStore["Service"]

interface FeedContext {
  readonly host: Pick<Host.Host["Service"], "follow">
  readonly store: Store
  readonly treeId: Session.SessionId
}

/** Feeds the readers of a tree until the scope closes. */
export const make = Effect.fnUntraced(function* ({ host, store, treeId }: FeedContext) {
  const tree = new TreeFrames(store, treeId, yield* TreeJournal.cursorAtEnd(store, treeId))
  yield* Effect.forkScoped(followUntilGone(tree, host))
  yield* Effect.forkScoped(beat(tree))
  const open = openReader(tree, store)
  return {
    treeId,
    open,
    read: (after, options) => Stream.unwrap(Effect.map(open(after, options), (reader) => streamOf(tree, reader))),
    isShared: () => tree.buffer.readers() > 1,
    lagMillis: tree.buffer.lagMillis
  } satisfies TreeFeed
})

/** Follows the tree until it is deleted, with a pause after each loss of its host. */
const followUntilGone = (tree: TreeFrames, host: FeedContext["host"]) =>
  Effect.scoped(TreeFollower.follow(tree, host)).pipe(
    // Only the journal shows what another process does.
    Effect.catchTag("TreeBusy", () => tree.readJournal),
    Effect.catchTag("SessionNotFound", () => Effect.sync(() => tree.markGone())),
    Effect.catch((error) => Effect.logWarning(error.message)),
    Effect.andThen(Effect.sleep(pollMillis)),
    Effect.repeat({ until: () => tree.isGone })
  )

/** Sends heartbeats by one clock for all readers: a timer per wait would cost more than a frame. */
const beat = (tree: TreeFrames) =>
  Effect.sleep(Limits.limits.heartbeatMillis).pipe(Effect.andThen(Effect.sync(() => tree.beat())), Effect.forever)

const openReader = (tree: TreeFrames, store: Store): TreeFeed["open"] =>
  Effect.fnUntraced(function* (after, { first = [], until = Effect.never } = {}) {
    // The stored position, the partial replies and the later frames are of one moment.
    const { frames, replies, upTo } = yield* Effect.acquireRelease(
      Effect.sync(() => tree.snapshot()),
      ({ frames }) => Effect.sync(frames.close)
    )
    const position = after === "latest" ? upTo : after
    const reader = new TreeReader({ tree, frames, position })
    yield* until.pipe(Effect.andThen(Effect.sync(() => reader.end())), Effect.forkScoped)
    const missed =
      after === "latest" || upTo === null || (after !== null && !Frame.isAfter(upTo, after))
        ? Effect.succeed([])
        : readMissed(store, tree.treeId, { after, upTo })
    const beginning = Effect.map(missed, (entries) => {
      if (reader.hasEnded) return []
      for (const frame of entries) reader.advancePast(frame)
      return [...entries, ...replies, ...first]
    })
    return { beginning, take: () => reader.take(), listen: tree.waiters.listen }
  })

interface MissedRange {
  readonly after: Frame.FramePosition | null
  readonly upTo: Frame.FramePosition
}

/** Reads the entries that a reader lacks, up to a position. */
const readMissed = Effect.fnUntraced(function* (store: Store, treeId: Session.SessionId, { after, upTo }: MissedRange) {
  const cursor = yield* TreeJournal.cursorAt(store, treeId, after)
  const frames: Array<Frame.Frame> = []
  yield* TreeJournal.advance(store, treeId, { cursor, upTo, use: (frame) => void frames.push(frame) })
  return frames
})

const streamOf = ({ waiters }: TreeFrames, reader: FeedReader): Stream.Stream<Frame.Frame, FeedFailed> => {
  const live = Effect.gen(function* (): Effect.fn.Return<FrameBuffer.Frames, Cause.Done> {
    while (true) {
      const seen = waiters.calls()
      const taken = reader.take()
      if (taken === "ended") return yield* Cause.done()
      if (taken !== null) return taken
      yield* waiters.moreSince(seen)
    }
  })
  return Stream.succeed(heartbeat).pipe(
    Stream.concat(Stream.fromIterableEffect(reader.beginning)),
    Stream.concat(Stream.fromPull(Effect.succeed(live)))
  )
}
