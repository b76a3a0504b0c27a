/**
 * Informs the model which of its file changes the user has undone or redone. Otherwise it would edit the files as it
 * remembers them.
 */
import { Canonical, type Entry, type Session } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as ContextSource from "../journal/ContextSource.ts"
import * as Journal from "../journal/Journal.ts"
import { type JournalCorrupt, type LeaseLost, SessionStore, type StoreFailed } from "../ports/SessionStore.ts"

export interface UndoneChanges {
  readonly kind: "undo" | "redo"
  /** Paths relative to the workspace. */
  readonly written: ReadonlyArray<string>
  readonly removed: ReadonlyArray<string>
}

const maxNamed = 20

export const textOf = ({ kind, removed, written }: UndoneChanges): string =>
  [
    kind === "undo"
      ? "The user has undone file changes of this session. Read a file again before you edit it."
      : "The user has taken an undo back: the file changes stand again.",
    ...formatPaths("Restored", written),
    ...formatPaths("Removed", removed)
  ].join("\n")

const formatPaths = (heading: string, paths: ReadonlyArray<string>): ReadonlyArray<string> => {
  if (paths.length === 0) return []
  const more = paths.length - maxNamed
  return [`${heading}: ${paths.slice(0, maxNamed).join(", ")}${more > 0 ? ` and ${more} more` : ""}`]
}

const bodyOf = (text: string): Entry.Body => {
  const source = ContextSource.undo
  return { _tag: "ContextAdded", source, text, digest: Canonical.digestOf({ source, text }) }
}

/** `redact` hides the secrets in names. */
export const record = (
  journal: Journal.Journal["Service"],
  changes: UndoneChanges,
  redact: (text: string) => string
): Effect.Effect<void, LeaseLost | StoreFailed> => journal.append({ bodies: [bodyOf(redact(textOf(changes)))] })

/**
 * Records the changes from a process that does not have the session open. False: another process has it open, and was
 * not notified.
 */
export const recordIdle = Effect.fnUntraced(function* (
  sessionId: Session.SessionId,
  changes: UndoneChanges,
  redact: (text: string) => string
): Effect.fn.Return<boolean, JournalCorrupt | LeaseLost | StoreFailed, SessionStore> {
  const store = yield* SessionStore
  const lease = yield* Effect.catchTag(store.acquire(sessionId), "TreeBusy", () => Effect.succeed(null))
  if (lease === null) return false
  const recordUndo = Effect.flatMap(Journal.open({ store, lease }, lease.treeId), (journal) =>
    record(journal, changes, redact)
  )
  yield* Effect.ensuring(recordUndo, Effect.ignore(store.release(lease)))
  return true
})
