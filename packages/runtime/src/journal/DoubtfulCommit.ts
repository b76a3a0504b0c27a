/**
 * A commit that the store reported as failed, and may have written: the owner reads the end of each journal, and takes
 * in the entries if they are exactly those of the commit.
 */
import { type Batch, Canonical, type Entry, type Session } from "@bough/protocol"
import * as Effect from "effect/Effect"
import { type JournalCorrupt, type LeaseLost, type SessionStore, StoreFailed } from "../ports/SessionStore.ts"

export interface DoubtfulCommit {
  readonly batch: Batch.Batch
  /** Folds the stored entries into each journal of the commit. */
  readonly foldStored: (entries: ReadonlyArray<Entry.Entry>) => Effect.Effect<void>
  /** False: its entries were found and folded. */
  isOpen: boolean
}

export const make = (
  batch: Batch.Batch,
  foldStored: (entries: ReadonlyArray<Entry.Entry>) => Effect.Effect<void>
): DoubtfulCommit => ({ batch, foldStored, isOpen: true })

/**
 * Folds the entries if the commit was written by this owner and is the last one; returns false if it was not. A caller
 * that knows of it elsewhere may have folded them before.
 */
export const resolve = (
  store: SessionStore["Service"],
  commit: DoubtfulCommit
): Effect.Effect<boolean, JournalCorrupt | LeaseLost | StoreFailed> =>
  Effect.suspend(() => {
    if (!commit.isOpen) return Effect.succeed(true)
    const { batch, foldStored } = commit
    return Effect.andThen(store.secure(batch), written(store, batch)).pipe(
      Effect.flatMap((entries) => {
        if (!commit.isOpen) return Effect.succeed(true)
        if (entries === null) return Effect.succeed(false)
        commit.isOpen = false
        return Effect.as(foldStored(entries), true)
      })
    )
  })

/** Returns the stored entries of the batch, in its order; null: the journals end in another way. */
const written = Effect.fnUntraced(function* (store: SessionStore["Service"], { entries }: Batch.Batch) {
  const stored: Array<Entry.Entry> = []
  for (const [sessionId, appends] of Map.groupBy(entries, (append) => append.sessionId)) {
    const found = yield* endOf(store, sessionId, appends)
    if (found === null) return null
    stored.push(...found)
  }
  return stored
})

const endOf = (
  store: SessionStore["Service"],
  sessionId: Session.SessionId,
  appends: ReadonlyArray<Batch.Append>
): Effect.Effect<ReadonlyArray<Entry.Entry> | null, JournalCorrupt | StoreFailed> =>
  Effect.map(store.entries(sessionId, appends[0].expectedSeq, appends.length + 1), (found) =>
    found.length === appends.length && found.every((entry, index) => isSame(entry, appends[index])) ? found : null
  )

const isSame = (entry: Entry.Entry, append: Batch.Append): boolean =>
  entry.seq === append.expectedSeq &&
  Canonical.stringify(entry.labels) === Canonical.stringify(append.labels) &&
  Canonical.stringify(entry.body) === Canonical.stringify(append.body)

/** The failure of a commit that was made from the state before the doubtful one. */
export const stateChanged = new StoreFailed({
  operation: "commit",
  message: "the store had written the commit before, which it reported as failed; it has been read again",
  hint: "repeat what you did: the session continues from its journal"
})
