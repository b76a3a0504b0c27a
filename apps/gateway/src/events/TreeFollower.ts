/** Follows the events of a tree from its host, and reads the journal where an event alone does not suffice. */
import type { EventStream } from "@bough/protocol"
import type { Host } from "@bough/runtime"
import * as Effect from "effect/Effect"
import type { TreeFrames } from "./TreeFrames.ts"

type Take = () => ReadonlyArray<EventStream.Item> | null

/** Passes the events of a tree on in order. After one that needs the journal, the others wait until it was read. */
class ItemReceiver {
  readonly #frames: TreeFrames
  /** The items that wait for a read of the journal. */
  #waiting: ReadonlyArray<EventStream.Item> = []
  #onWaiting: (() => void) | null = null

  constructor(frames: TreeFrames) {
    this.#frames = frames
  }

  /** Runs outside of any fiber: waking a fiber would dominate the cost of an event. */
  receiveAll(take: Take): void {
    for (let items = this.#takeNext(take); items !== null; items = this.#takeNext(take)) this.#receive(items)
    this.#frames.wakeReaders()
  }

  /** Reads the journal, then passes on an event that no entry records, if its session was found. */
  readonly receiveAfterReading = Effect.suspend(() => {
    const [item] = this.#waiting
    if (item === undefined) return this.#untilWaiting
    return Effect.map(this.#frames.readJournal, () => {
      if (item._tag !== "Gap" && item.event._tag !== "Recorded") this.#frames.passOn(item)
      const following = this.#waiting.slice(1)
      this.#waiting = []
      this.#receive(following)
    })
  })

  readonly #untilWaiting = Effect.callback<void>((resume) => {
    if (this.#waiting.length > 0) return resume(Effect.void)
    this.#onWaiting = () => resume(Effect.void)
    return Effect.sync(() => (this.#onWaiting = null))
  })

  #takeNext(take: Take): ReadonlyArray<EventStream.Item> | null {
    return this.#waiting.length > 0 ? null : take()
  }

  /** Receives items in order up to one that needs the journal. */
  #receive(items: ReadonlyArray<EventStream.Item>): void {
    const at = items.findIndex((item) => !this.#frames.passOn(item))
    if (at === -1) return
    this.#waiting = items.slice(at)
    this.#onWaiting?.()
  }
}

/** Follows the tree until the host ends its stream. */
export const follow = Effect.fnUntraced(function* (frames: TreeFrames, host: Pick<Host.Host["Service"], "follow">) {
  const { ended, listen, take } = yield* host.follow(frames.treeId, null)
  const receiver = new ItemReceiver(frames)
  const receiveNow = (): void => receiver.receiveAll(take)
  yield* Effect.acquireRelease(
    Effect.sync(() => listen(receiveNow)),
    (unlisten) => Effect.sync(unlisten)
  )
  receiveNow()
  const readLoop = Effect.forever(Effect.andThen(receiver.receiveAfterReading, Effect.sync(receiveNow)))
  return yield* Effect.raceFirst(ended, readLoop)
})
