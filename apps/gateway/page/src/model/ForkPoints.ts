/** The places of a conversation from which a session can be forked. Pure. */
import type { Item } from "./Item.ts"

export interface ForkPoint {
  /** The number of the last entry that the fork copies. */
  readonly throughSeq: number
  readonly label: string
}

/** Returns the fork points by the keys of their items: before a message, after a reply, and after the calls of a step. */
export const forkPoints = (items: ReadonlyArray<Item>): ReadonlyMap<string, ForkPoint> => {
  const points = new Map<string, ForkPoint>()
  for (const item of items) {
    const seq = seqOf(item)
    if (seq === null) continue
    if (item._tag === "User") points.set(item.key, { throughSeq: seq - 1, label: "Fork before this message" })
    if (item._tag === "Text") points.set(item.key, { throughSeq: seq, label: "Fork after this reply" })
  }
  for (const calls of Map.groupBy(items.filter(isCall), ({ entryId }) => entryId).values()) {
    const ends = calls.flatMap(({ endedSeq }) => (endedSeq === null ? [] : [endedSeq]))
    // A fork cannot start while a call of the step is open.
    if (calls[0].entryId === null || ends.length < calls.length) continue
    points.set(calls[calls.length - 1].key, { throughSeq: Math.max(...ends), label: "Fork after this step" })
  }
  return points
}

const isCall = (item: Item): item is Extract<Item, { _tag: "Call" }> => item._tag === "Call"

const seqOf = ({ entryId }: Item): number | null => {
  const seq = Number(entryId?.split("/").at(-1) ?? Number.NaN)
  return Number.isNaN(seq) ? null : seq
}
