/**
 * The frames of one tree for all of its readers in this process. Entries come from the journal, in its order; events of the
 * host say that there are new ones, and bring what no entry tells. Readers take what they lack at their own pace from the
 * newest frames, which are all that is held for them.
 */
import { Frame, Limits } from "@bough/gateway-api"
import type { EventStream, Session } from "@bough/protocol"
import { Host, type SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Replies from "./Replies.ts"
import * as TransientFrame from "./TransientFrame.ts"
import * as TreeJournal from "./TreeJournal.ts"

/** How often the journal of a tree is looked at that another process owns. */
const lookMillis = 500

export interface TreeFeed {
  readonly treeId: Session.SessionId
  /** Everything after that place; null: from the first entry on. Ends with a Resume frame. */
  readonly read: (after: Frame.FramePlace | null | "latest") => Stream.Stream<Frame.Frame, FeedFailed>
}

type FeedFailed = SessionStore.JournalCorrupt | SessionStore.StoreFailed

interface Place {
  readonly host: Host.Host["Service"]
  readonly store: SessionStore.SessionStore["Service"]
  readonly treeId: Session.SessionId
}

/** Feeds the readers of a tree until the scope closes. */
export const make = Effect.fnUntraced(function* ({ host, store, treeId }: Place) {
  const cursor = yield* TreeJournal.cursorAtEnd(store, treeId)
  const replies = Replies.make()
  const ring: Array<Frame.Frame> = []
  const capacity = Limits.limits.lagFrames
  const waiting = new Set<() => void>()
  let next = 0
  let isGone = false

  const wake = (): void => {
    for (const resume of Array.from(waiting)) resume()
  }
  const push = (frame: Frame.Frame): void => {
    ring[next % capacity] = frame
    next += 1
    wake()
  }
  const record = (frame: Frame.FrameOf<"Entry">): void => {
    replies.settle(frame)
    push(frame)
  }
  const advance = Effect.map(TreeJournal.advance(store, treeId, { cursor, use: record }), (isThere) => {
    if (isThere) return
    isGone = true
    wake()
  })

  const take = Effect.fnUntraced(function* (item: EventStream.Item) {
    if (item._tag === "Gap") return yield* advance
    const { event } = item
    if (event._tag === "Attached") return
    const known = cursor.sessions.get(event.sessionId)
    if (event._tag === "Recorded") {
      if (known === undefined || event.entry.seq >= known.seq) yield* advance
      return
    }
    // A session that began a moment ago.
    if (known === undefined) yield* advance
    const standing = cursor.sessions.get(event.sessionId)
    if (standing === undefined) return
    const frame = TransientFrame.fromEvent(event, { treeId, ...standing })
    if (frame._tag === "Delta") replies.add(frame)
    push(frame)
  })

  yield* host.attach(treeId, null).pipe(
    Stream.runForEach(take),
    // What another process does is read from the journal alone.
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

  const more = Effect.callback<boolean>((resume) => {
    const wakeUp = (): void => {
      waiting.delete(wakeUp)
      resume(Effect.succeed(true))
    }
    waiting.add(wakeUp)
    return Effect.sync(() => waiting.delete(wakeUp))
  }).pipe(Effect.timeoutOption(Limits.limits.heartbeatMillis))

  const resumeAt = (place: Frame.FramePlace | null, reason: Frame.FrameOf<"Resume">["reason"]): Frame.Frame => ({
    _tag: "Resume",
    after: place === null ? null : Frame.format(place),
    reason,
    retryAfterMillis: 0
  })

  /** Reads the entries up to a place that a reader lacks. */
  const missed = (after: Frame.FramePlace | null, upTo: Frame.FramePlace) =>
    Effect.gen(function* () {
      const own = yield* TreeJournal.cursorAt(store, treeId, after)
      const frames: Array<Frame.Frame> = []
      yield* TreeJournal.advance(store, treeId, { cursor: own, upTo, use: (frame) => void frames.push(frame) })
      return frames
    })

  const read: TreeFeed["read"] = (after) =>
    Stream.unwrap(
      Effect.sync(() => {
        const reader = { next, place: after === "latest" ? cursor.place : after }
        const upTo = cursor.place
        const whole = replies.whole()
        const older =
          after === "latest" || upTo === null || (after !== null && !Frame.isAfter(upTo, after))
            ? Effect.succeed([])
            : missed(after, upTo)
        const live = Stream.fromIterableEffectRepeat(
          Effect.gen(function* (): Effect.fn.Return<ReadonlyArray<Frame.Frame>> {
            while (true) {
              if (next - reader.next > capacity) return [resumeAt(reader.place, "slow")]
              if (reader.next < next) break
              if (isGone) return [resumeAt(reader.place, "deleted")]
              const woken = yield* more
              if (woken._tag === "None") return [{ _tag: "Heartbeat" }]
            }
            const taken: Array<Frame.Frame> = []
            while (reader.next < next) taken.push(ring[reader.next++ % capacity])
            return taken
          })
        )
        // The reader has its place now: it misses nothing that is stored from here on.
        const placed: Frame.Frame = { _tag: "Heartbeat" }
        return Stream.succeed(placed).pipe(
          Stream.concat(Stream.fromIterableEffect(older)),
          Stream.concat(Stream.fromIterable(whole)),
          Stream.concat(live),
          Stream.tap((frame) =>
            Effect.sync(() => {
              if (frame._tag === "Entry") reader.place = Frame.parse(frame.id)
            })
          ),
          Stream.takeUntil(({ _tag }) => _tag === "Resume")
        )
      })
    )

  return { treeId, read } satisfies TreeFeed
})
