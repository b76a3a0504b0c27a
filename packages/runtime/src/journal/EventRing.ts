/** The newest events of one tree in a ring of fixed capacity, numbered. Data alone: `EventLog` wakes the readers. */
import type { Event, EventStream, Session } from "@bough/protocol"
import { ReplyBeginnings } from "./ReplyBeginnings.ts"

export type Items = readonly [EventStream.Item, ...Array<EventStream.Item>]

/** The position of a reader, which advances as it takes items. */
export interface ReaderPosition {
  epoch: number
  number: number
}

export class EventRing {
  readonly #treeId: Session.SessionId
  readonly #capacity: number
  // Only the event is stored: the other fields are common to all, or follow from its index.
  readonly #events: Array<Event.Event> = []
  readonly #entryCounts: Array<number> = []
  readonly #beginnings = new ReplyBeginnings()
  #epoch = 0
  #lease: number | null = null
  #next = 1
  /** The number of the last event that `clear` dropped. */
  #cleared = 0

  constructor(treeId: Session.SessionId, capacity: number) {
    this.#treeId = treeId
    this.#capacity = capacity
  }

  /** Starts the events of a new owner: `EventLog.begin`. */
  begin(leaseEpoch: number): void {
    if (this.#lease === null || (leaseEpoch !== this.#lease && leaseEpoch !== this.#lease + 1)) {
      this.#epoch = leaseEpoch
      this.#next = 1
      this.clear()
    }
    this.#lease = leaseEpoch
  }

  append(event: Event.Event, entries: number): EventStream.Position {
    const number = this.#next++
    const index = this.#indexOf(number)
    if (index < this.#events.length) this.#beginnings.add(this.#events[index], this.#entryCounts[index])
    this.#events[index] = event
    this.#entryCounts[index] = entries
    return { epoch: this.#epoch, number }
  }

  /** Drops all events; the numbers continue. */
  clear(): void {
    this.#cleared = this.#next - 1
    this.#events.length = 0
    this.#entryCounts.length = 0
    this.#beginnings.clear()
  }

  /** Returns the items after the reader's position and advances it; null: there are none. */
  take(reader: ReaderPosition): Items | null {
    const items: Array<EventStream.Item> = []
    if (this.#missesEvents(reader)) {
      // Before the first owner there are no events, so nothing was missed.
      if (this.#lease === null) return null
      reader.epoch = this.#epoch
      reader.number = this.#oldest() - 1
      items.push({ _tag: "Gap", treeId: this.#treeId, epoch: this.#epoch, number: reader.number })
      // The beginning is dropped once the journal has the reply, whose entry follows all of its deltas.
      for (const { entries, event } of this.#beginnings.deltas()) {
        items.push(this.#published(reader.number, event, entries))
      }
    }
    while (reader.number < this.#next - 1) {
      const index = this.#indexOf(++reader.number)
      items.push(this.#published(reader.number, this.#events[index], this.#entryCounts[index]))
    }
    return items.length === 0 ? null : (items as [EventStream.Item, ...Array<EventStream.Item>])
  }

  #missesEvents({ epoch, number }: ReaderPosition): boolean {
    return epoch !== this.#epoch || number < this.#oldest() - 1 || number >= this.#next
  }

  #oldest(): number {
    return this.#next - this.#events.length
  }

  #indexOf(number: number): number {
    return (number - this.#cleared - 1) % this.#capacity
  }

  #published(number: number, event: Event.Event, entries: number): EventStream.PublishedItem {
    return { _tag: "Published", treeId: this.#treeId, epoch: this.#epoch, number, entries, event }
  }
}
