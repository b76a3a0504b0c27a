/**
 * The newest events of one tree, numbered, for readers that connect, disconnect and reconnect. A reader takes events
 * when it is ready. A slow reader misses events that the log no longer contains, and is informed by a Gap; it never
 * slows the session.
 */
import type { Event, EventStream, Session } from "@bough/protocol"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Stream from "effect/Stream"
import { EventRing, type Items } from "./EventRing.ts"
import * as Waiters from "./Waiters.ts"

export type { Items } from "./EventRing.ts"

export interface EventLog {
  readonly treeId: Session.SessionId
  /**
   * Starts the log of a new owner. If its lease is the previous owner's or directly follows it, no other process
   * published in between, and the numbers continue. Otherwise they restart in a new epoch.
   */
  readonly begin: (leaseEpoch: number) => void
  /** `entries`: the number of entries in the journal of the event's session. */
  readonly publish: (event: Event.Event, entries: number) => EventStream.Position
  /**
   * Opens a reader of everything after that position. If the position is null or no longer in the log, the first item
   * is a Gap, followed by the beginnings of unfinished replies that the log no longer contains.
   */
  readonly open: (after: EventStream.Position | null) => LogReader
  /** The same items as a stream, which ends when `until` ends; default: never. */
  readonly read: <E = never>(
    after: EventStream.Position | null,
    until?: Effect.Effect<void, E>
  ) => Stream.Stream<EventStream.Item, E>
  /** The number of current readers. */
  readonly readers: () => number
  /** Drops all events; the numbers continue. A reader that lacks some of them continues with a Gap. */
  readonly clear: () => void
}

/** A reader that takes items without an effect: a fiber per reader would dominate the cost of an event. */
export interface LogReader {
  /** Returns the items since the last call; null: there are none. */
  readonly take: () => Items | null
  /** Calls the function when new items may be available, until the returned function is called. */
  readonly listen: Waiters.Waiters["listen"]
  readonly close: () => void
}

/** The default capacity in events: a few seconds of a fast model. */
export const usualCapacity = 1024

export const make = (treeId: Session.SessionId, capacity: number = usualCapacity): EventLog => {
  const ring = new EventRing(treeId, capacity)
  const waiters = Waiters.make()
  let readers = 0

  const open = (after: EventStream.Position | null): LogReader => {
    // No epoch is negative, so a reader without a position starts with a gap.
    const position = after === null ? { epoch: -1, number: 0 } : { ...after }
    let isOpen = true
    readers += 1
    return {
      take: () => ring.take(position),
      listen: waiters.listen,
      close: () => {
        if (isOpen) readers -= 1
        isOpen = false
      }
    }
  }

  return {
    treeId,
    begin: (leaseEpoch) => {
      ring.begin(leaseEpoch)
      waiters.wake()
    },
    publish: (event, entries) => {
      const position = ring.append(event, entries)
      waiters.wakeSoon()
      return position
    },
    open,
    read: (after, until = Effect.never) => streamOf(() => open(after), waiters, until),
    readers: () => readers,
    clear: () => ring.clear()
  }
}

/** Uses a single pull instead of nested streams, because the work per event and reader dominates a server's load. */
const streamOf = <E>(
  open: () => LogReader,
  { calls, moreSince, wake }: Waiters.Waiters,
  until: Effect.Effect<void, E>
): Stream.Stream<EventStream.Item, E> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const reader = yield* Effect.acquireRelease(Effect.sync(open), ({ close }) => Effect.sync(close))
      let ended: Exit.Exit<void, E> | null = null
      yield* Effect.exit(until).pipe(
        Effect.tap((exit) =>
          Effect.sync(() => {
            ended = exit
            wake()
          })
        ),
        Effect.forkScoped
      )
      const isEnded = (): Exit.Exit<void, E> | null => ended
      const pull = Effect.gen(function* (): Effect.fn.Return<Items, E | Cause.Done> {
        while (true) {
          const seen = calls()
          const exit = isEnded()
          if (exit !== null) {
            yield* exit
            return yield* Cause.done()
          }
          const items = reader.take()
          if (items !== null) return items
          yield* moreSince(seen)
        }
      })
      return Stream.fromPull(Effect.succeed(pull))
    })
  )
