/**
 * The newest events of one tree, numbered, for readers that come, go and come again. A reader takes what it lacks when it is
 * ready: a slow one loses what the log no longer holds, and is told so; it costs the session nothing.
 */
import type { Event, EventStream, Session } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

export interface EventLog {
  readonly treeId: Session.SessionId
  /**
   * Starts the log of a new owner. If its lease follows the last one, no other process published in between, and the
   * numbers continue; otherwise they start again, with another epoch.
   */
  readonly begin: (leaseEpoch: number) => void
  /** `entries`: how many the journal of the event's session has. */
  readonly publish: (event: Event.Event, entries: number) => EventStream.Position
  /**
   * Everything after that place, without end: what the log holds, then what comes. Null, or a place that it does not hold:
   * a Gap first, at its place the beginnings of replies in the making that the log no longer holds, then all that it holds.
   */
  readonly read: (after: EventStream.Position | null) => Stream.Stream<EventStream.Item>
  /** How many read now. */
  readonly readers: () => number
}

type Delta = Extract<Event.Event, { readonly _tag: "TextDelta" | "ReasoningDelta" }>

/** The replies in the making whose first deltas the log no longer holds: what a late reader could not know. */
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
      const kept = isSame && known !== undefined ? known : []
      const last = kept.at(-1)
      if (last?.first._tag === event._tag) {
        last.text += event.text
        last.entries = entries
      } else kept.push({ first: event, text: event.text, entries })
      parts.set(event.sessionId, kept)
    },
    clear: (): void => parts.clear(),
    deltas: (): ReadonlyArray<{ readonly event: Delta; readonly entries: number }> =>
      Array.from(parts.values()).flatMap((kept) =>
        kept.map(({ entries, first, text }) => ({ event: { ...first, text }, entries }))
      )
  }
}

/** How many events a log holds where nothing else is said: some seconds of a talkative model. */
export const usualCapacity = 1024

export const make = (treeId: Session.SessionId, capacity: number = usualCapacity): EventLog => {
  // What is held of an event besides itself is alike for all, or follows from its place.
  const held: Array<Event.Event> = []
  const lengths: Array<number> = []
  const beginnings = makeBeginnings()
  const waiting = new Set<() => void>()
  let epoch = 0
  let lease: number | null = null
  let next = 1
  let readers = 0

  const oldest = (): number => Math.max(1, next - Math.min(held.length, capacity))
  const at = (number: number): EventStream.Published => {
    const place = (number - 1) % capacity
    return { _tag: "Published", treeId, epoch, number, entries: lengths[place], event: held[place] }
  }
  const wake = (): void => {
    for (const resume of Array.from(waiting)) resume()
  }

  const begin = (leaseEpoch: number): void => {
    if (lease === null || leaseEpoch !== lease + 1) {
      epoch = leaseEpoch
      next = 1
      held.length = 0
      lengths.length = 0
      beginnings.clear()
    }
    lease = leaseEpoch
    wake()
  }

  const publish = (event: Event.Event, entries: number): EventStream.Position => {
    const number = next++
    const place = (number - 1) % capacity
    if (place < held.length) beginnings.drop(held[place], lengths[place])
    held[place] = event
    lengths[place] = entries
    if (waiting.size > 0) wake()
    return { epoch, number }
  }

  /** Returns the items after the reader's place, and moves it past them; null: there are none. */
  const take = (reader: { epoch: number; number: number }): ReadonlyArray<EventStream.Item> | null => {
    const taken: Array<EventStream.Item> = []
    if (reader.epoch !== epoch || reader.number < oldest() - 1 || reader.number >= next) {
      // Before the first owner has come there is nothing to miss.
      if (lease === null) return null
      reader.epoch = epoch
      reader.number = oldest() - 1
      taken.push({ _tag: "Gap", treeId, epoch, number: reader.number })
      // A reader drops it once the journal has the reply, whose entry came after all of its deltas.
      for (const { entries, event } of beginnings.deltas()) {
        taken.push({ _tag: "Published", treeId, epoch, number: reader.number, entries, event })
      }
    }
    while (reader.number < next - 1) taken.push(at(++reader.number))
    return taken.length === 0 ? null : taken
  }

  const more = Effect.callback<void>((resume) => {
    const wakeUp = (): void => {
      waiting.delete(wakeUp)
      resume(Effect.void)
    }
    waiting.add(wakeUp)
    return Effect.sync(() => waiting.delete(wakeUp))
  })

  const read: EventLog["read"] = (after) =>
    Stream.unwrap(
      Effect.map(
        Effect.acquireRelease(
          Effect.sync(() => {
            readers += 1
            // No epoch is below zero: who comes without a place has a gap before it.
            return after === null ? { epoch: -1, number: 0 } : { ...after }
          }),
          () => Effect.sync(() => (readers -= 1))
        ),
        (reader) =>
          Stream.fromIterableEffectRepeat(
            Effect.gen(function* () {
              while (true) {
                const taken = take(reader)
                if (taken !== null) return taken
                yield* more
              }
            })
          )
      )
    )

  return { treeId, begin, publish, read, readers: () => readers }
}
