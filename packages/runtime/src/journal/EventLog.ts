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
import * as Waiters from "./Waiters.ts"

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

export type Items = readonly [EventStream.Item, ...Array<EventStream.Item>]

/** A reader that takes items without an effect: a fiber per reader would dominate the cost of an event. */
export interface LogReader {
  /** Returns the items since the last call; null: there are none. */
  readonly take: () => Items | null
  /** Calls the function when new items may be available, until the returned function is called. */
  readonly listen: Waiters.Waiters["listen"]
  readonly close: () => void
}

type Delta = Extract<Event.Event, { readonly _tag: "TextDelta" | "ReasoningDelta" }>

/** Keeps the first deltas of unfinished replies after the log has dropped them, for late readers. */
const makeBeginnings = () => {
  const parts = new Map<string, Array<{ readonly first: Delta; text: string; entries: number }>>()
  return {
    drop: (event: Event.Event, entries: number): void => {
      if (event._tag === "Recorded") {
        const { _tag } = event.entry.body
        if (_tag === "ModelReplied" || _tag === "StepStarted") parts.delete(event.sessionId)
        return
      }
      if (event._tag !== "TextDelta" && event._tag !== "ReasoningDelta") return
      const known = parts.get(event.sessionId)
      const [head] = known ?? []
      const isSame = head !== undefined && head.first.turn === event.turn && head.first.step === event.step
      const deltas = isSame && known !== undefined ? known : []
      const last = deltas.at(-1)
      if (last?.first._tag === event._tag) {
        last.text += event.text
        last.entries = entries
      } else deltas.push({ first: event, text: event.text, entries })
      parts.set(event.sessionId, deltas)
    },
    clear: (): void => parts.clear(),
    deltas: (): ReadonlyArray<{ readonly event: Delta; readonly entries: number }> =>
      Array.from(parts.values()).flatMap((deltas) =>
        deltas.map(({ entries, first, text }) => ({ event: { ...first, text }, entries }))
      )
  }
}

/** The default capacity in events: a few seconds of a fast model. */
export const usualCapacity = 1024

export const make = (treeId: Session.SessionId, capacity: number = usualCapacity): EventLog => {
  // Only the event is stored: the other fields are common to all, or follow from its index.
  const coalesced: Array<Event.Event> = []
  const lengths: Array<number> = []
  const beginnings = makeBeginnings()
  const { calls, listen, moreSince, wake, wakeSoon } = Waiters.make()
  let epoch = 0
  let lease: number | null = null
  let next = 1
  /** The number of the last event that `clear` dropped. */
  let cleared = 0
  let readers = 0

  const oldest = (): number => next - coalesced.length
  const placeOf = (number: number): number => (number - cleared - 1) % capacity
  const at = (number: number): EventStream.PublishedItem => {
    const position = placeOf(number)
    return { _tag: "Published", treeId, epoch, number, entries: lengths[position], event: coalesced[position] }
  }

  const clear = (): void => {
    cleared = next - 1
    coalesced.length = 0
    lengths.length = 0
    beginnings.clear()
  }

  const begin = (leaseEpoch: number): void => {
    if (lease === null || (leaseEpoch !== lease && leaseEpoch !== lease + 1)) {
      epoch = leaseEpoch
      next = 1
      clear()
    }
    lease = leaseEpoch
    wake()
  }

  const publish = (event: Event.Event, entries: number): EventStream.Position => {
    const number = next++
    const position = placeOf(number)
    if (position < coalesced.length) beginnings.drop(coalesced[position], lengths[position])
    coalesced[position] = event
    lengths[position] = entries
    wakeSoon()
    return { epoch, number }
  }

  /** Returns the items after the reader's position and advances it; null: there are none. */
  const take = (reader: { epoch: number; number: number }): Items | null => {
    const items: Array<EventStream.Item> = []
    if (reader.epoch !== epoch || reader.number < oldest() - 1 || reader.number >= next) {
      // Before the first owner there are no events, so nothing was missed.
      if (lease === null) return null
      reader.epoch = epoch
      reader.number = oldest() - 1
      items.push({ _tag: "Gap", treeId, epoch, number: reader.number })
      // The beginning is dropped once the journal has the reply, whose entry follows all of its deltas.
      for (const { entries, event } of beginnings.deltas()) {
        items.push({ _tag: "Published", treeId, epoch, number: reader.number, entries, event })
      }
    }
    while (reader.number < next - 1) items.push(at(++reader.number))
    return items.length === 0 ? null : (items as [EventStream.Item, ...Array<EventStream.Item>])
  }

  const open = (after: EventStream.Position | null): LogReader => {
    // No epoch is negative, so a reader without a position starts with a gap.
    const position = after === null ? { epoch: -1, number: 0 } : { ...after }
    let isOpen = true
    readers += 1
    return {
      take: () => take(position),
      listen,
      close: () => {
        if (isOpen) readers -= 1
        isOpen = false
      }
    }
  }

  // Uses a single pull instead of nested streams, because the work per event and reader dominates a server's load.
  const read: EventLog["read"] = <E = never>(
    after: EventStream.Position | null,
    until: Effect.Effect<void, E> = Effect.never
  ) =>
    Stream.unwrap(
      Effect.gen(function* () {
        const reader = yield* Effect.acquireRelease(
          Effect.sync(() => open(after)),
          ({ close }) => Effect.sync(close)
        )
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

  return { treeId, begin, publish, open, read, readers: () => readers, clear }
}
