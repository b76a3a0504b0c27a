/**
 * One session's journal in the process that owns it: the lease, the next entry's number, and the folds, which every
 * commit advances together. Only the owner appends.
 */
import { Trace } from "@bough/dispatch"
import { Batch, type Entry, type Session } from "@bough/protocol"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Semaphore from "effect/Semaphore"
import { type JournalCorrupt, type Lease, LeaseLost, SessionStore, type StoreFailed } from "../ports/SessionStore.ts"
import * as AppendQueue from "./AppendQueue.ts"
import type { Append } from "./AppendQueue.ts"
import * as DoubtfulCommit from "./DoubtfulCommit.ts"
import * as Durability from "./Durability.ts"
import * as EntryPages from "./EntryPages.ts"
import * as Prompt from "./Prompt.ts"
import * as Provenance from "./Provenance.ts"
import * as SessionState from "./SessionState.ts"

export type { Append } from "./AppendQueue.ts"

export class Journal extends Context.Service<
  Journal,
  {
    readonly sessionId: Session.SessionId
    readonly treeId: Session.SessionId
    /** The journal's state: any module reads it, and only `append` changes it. */
    readonly state: SessionState.SessionState
    readonly prompt: Prompt.PromptState
    readonly provenance: Provenance.ProvenanceState
    /**
     * Commits; serialised, and atomic under interruption. Bodies may be computed from the state when their turn comes.
     */
    readonly append: (
      batch: Append | ((state: SessionState.SessionState) => Append)
    ) => Effect.Effect<void, LeaseLost | StoreFailed>
    /**
     * Reads the entries of a failed commit if the store has written them. Before each use of the session: otherwise its
     * state may lack an entry, and no commit would show that.
     */
    readonly readDoubtful: Effect.Effect<void, JournalCorrupt | LeaseLost | StoreFailed>
    /** The journal's part in a commit of two sessions. */
    readonly part: Part
  }
>()("@bough/runtime/journal/Journal") {}

/** Returns the session and turn that events name. */
export const placeOf = ({ sessionId, state }: Pick<Journal["Service"], "sessionId" | "state">) => ({
  sessionId,
  turn: state.turn,
  step: state.step
})

/** One session's part in a commit of two sessions. */
interface Part {
  /** Runs the effect while no other commit of the session can run. */
  readonly hold: <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>
  readonly draft: (append: Append) => ReadonlyArray<Batch.Append>
  /** Folds the entries at once, then notifies watchers. */
  readonly take: (entries: ReadonlyArray<Entry.Entry>) => Effect.Effect<void>
  /** Commits, and passes the stored entries to `foldStored`. `other`: the second session of the commit. */
  readonly commit: (
    batch: Pick<Batch.Batch, "durability" | "entries" | "projections">,
    foldStored: (entries: ReadonlyArray<Entry.Entry>) => Effect.Effect<void>,
    other?: Part
  ) => Effect.Effect<void, LeaseLost | StoreFailed>
  /** Remembers a commit that may have been written although it failed. */
  readonly doubt: (commit: DoubtfulCommit.DoubtfulCommit) => void
}

/** The content of one commit of two sessions. */
export interface PairCommit {
  readonly parent: Append
  readonly child: Append
}

/** Makes one commit of a parent and a child; both journals wait for it. If `make` fails, nothing is written. */
export const commitBoth = <E>(
  parent: Journal["Service"],
  child: Journal["Service"],
  make: () => Result.Result<PairCommit, E>
): Effect.Effect<void, E | LeaseLost | StoreFailed> =>
  Effect.suspend(() => Effect.fromResult(make())).pipe(
    Effect.flatMap((both) =>
      parent.part.commit(
        {
          durability: Durability.durabilityOf([...both.parent.bodies, ...both.child.bodies]),
          entries: [...parent.part.draft(both.parent), ...child.part.draft(both.child)],
          projections: [...(both.parent.projections ?? []), ...(both.child.projections ?? [])]
        },
        (entries) => {
          const toldByParent = parent.part.take(entries)
          return Effect.andThen(toldByParent, child.part.take(entries))
        },
        child.part
      )
    ),
    // Always locks the parent first, which prevents deadlocks.
    child.part.hold,
    parent.part.hold,
    Effect.uninterruptible
  )

interface Folds {
  readonly state: SessionState.SessionState
  readonly prompt: Prompt.PromptState
  readonly provenance: Provenance.ProvenanceState
}

const takeIn = ({ prompt, provenance, state }: Folds, entry: Entry.Entry): void => {
  SessionState.append(state, entry)
  Prompt.append(prompt, entry)
  Provenance.append(provenance, entry)
}

/** Reads a session from its beginning into the folds. */
export const load = (
  store: SessionStore["Service"],
  sessionId: Session.SessionId
): Effect.Effect<Folds, JournalCorrupt | StoreFailed> =>
  Effect.suspend(() => {
    const folds: Folds = { state: SessionState.empty(), prompt: Prompt.empty(), provenance: Provenance.empty() }
    return Effect.as(
      EntryPages.forEach(store, sessionId, (entry) => takeIn(folds, entry)),
      folds
    )
  })

/** The process that owns a tree. */
export interface JournalOwner {
  readonly store: SessionStore["Service"]
  readonly lease: Lease
  /** Publishes a stored entry; default: entries are not published. */
  readonly publish?: (entry: Entry.Entry) => Effect.Effect<void>
}

const notPublished = (): Effect.Effect<void> => Effect.void

/** The journal of a session whose tree this process owns. */
export const open = Effect.fnUntraced(function* (
  { lease, store, publish = notPublished }: JournalOwner,
  sessionId: Session.SessionId
): Effect.fn.Return<Journal["Service"], JournalCorrupt | StoreFailed> {
  const folds = yield* load(store, sessionId)
  const { prompt, provenance, state } = folds
  const isTraced = yield* Trace.isOn
  const commitBatch = (batch: Batch.Batch) =>
    Trace.span(store.commit(batch), "Store.commit", { isTraced, attributes: () => commitAttributes(batch) })
  const oneAtATime = Semaphore.makeUnsafe(1)
  /** Each append has the labels of those before it. */
  const draftAll = (appends: ReadonlyArray<Append>): ReadonlyArray<Batch.Append> => {
    let seq = state.nextSeq
    let labels = labelsOf(state)
    return appends.flatMap(({ bodies, labels: added }) => {
      labels = withLabels(labels, added ?? none)
      return bodies.map((body) => ({ sessionId, expectedSeq: seq++, labels, body }))
    })
  }
  const part: Part = {
    hold: (effect) => oneAtATime.withPermit(effect),
    draft: (one) => draftAll([one]),
    take: (entries) => {
      const ownEntries = entries.filter((entry) => entry.sessionId === sessionId)
      for (const entry of ownEntries) takeIn(folds, entry)
      return ownEntries.length === 1 ? publish(ownEntries[0]) : Effect.forEach(ownEntries, publish, { discard: true })
    },
    commit: (parts, foldStored, other) => {
      const batch = { treeId: lease.treeId, epoch: lease.epoch, ...parts }
      return Effect.matchCauseEffect(commitBatch(batch), {
        onSuccess: ({ entries }) => {
          doubtful = null
          return foldStored(entries)
        },
        onFailure: (cause) =>
          Effect.failCause(cause).pipe(
            Effect.catch((failure): Effect.Effect<never, LeaseLost | StoreFailed> => {
              if (failure._tag === "LeafMoved") return afterMove
              if (failure._tag === "LeaseLost" || batch.entries.length === 0) return Effect.fail(failure)
              const commit = DoubtfulCommit.make(batch, foldStored)
              part.doubt(commit)
              other?.doubt(commit)
              // It stays failed, because its caller needs a durable commit. The state shows what remains to be done.
              return Effect.andThen(Effect.ignore(DoubtfulCommit.resolve(store, commit)), Effect.fail(failure))
            })
          )
      })
    },
    doubt: (commit) => {
      doubtful = commit
    }
  }
  /** A commit that may have been written although it failed; null: there is none since the last one that succeeded. */
  let doubtful: DoubtfulCommit.DoubtfulCommit | null = null
  // The owner is the only writer: LeafMoved means that this process no longer owns the tree, or that its doubtful commit
  // was written.
  const afterMove = Effect.suspend(() => {
    const isOurs = doubtful === null ? Effect.succeed(false) : DoubtfulCommit.resolve(store, doubtful)
    return Effect.flatMap(
      Effect.catchTag(isOurs, "JournalCorrupt", () => Effect.succeed(false)),
      (found): Effect.Effect<never, LeaseLost | StoreFailed> =>
        Effect.fail(found ? DoubtfulCommit.stateChanged : new LeaseLost({ treeId: lease.treeId }))
    )
  })
  const commit = (appends: ReadonlyArray<Append>) => {
    // Only appends that are Relaxed share a commit.
    const durability = appends.length === 1 ? Durability.durabilityOf(appends[0].bodies, appends[0].replay) : "Relaxed"
    const projections = appends.flatMap((append) => append.projections ?? [])
    return part.commit({ durability, entries: draftAll(appends), projections }, part.take)
  }
  const append: Journal["Service"]["append"] = AppendQueue.make({ state, hold: part.hold, commit })
  const readDoubtful = Effect.suspend(() =>
    doubtful === null
      ? Effect.void
      : Effect.uninterruptible(part.hold(Effect.asVoid(DoubtfulCommit.resolve(store, doubtful))))
  )
  return { sessionId, treeId: lease.treeId, state, prompt, provenance, append, readDoubtful, part }
})

/** Lists the kinds of entries, without their content. */
const commitAttributes = ({ durability, entries, treeId }: Batch.Batch): Trace.Attributes => ({
  "bough.tree.id": treeId,
  "bough.commit.durability": durability,
  "bough.commit.entries": entries.map(({ body }) => body._tag)
})

const none: ReadonlyArray<Session.Label> = []

/** Returns the labels of everything that the session has read. */
const labelsOf = ({ labels }: SessionState.SessionState): ReadonlyArray<Session.Label> =>
  labels.size === 0 ? none : [...labels]

const withLabels = (
  labels: ReadonlyArray<Session.Label>,
  added: ReadonlyArray<Session.Label>
): ReadonlyArray<Session.Label> => (labels.length === 0 ? added : [...new Set([...labels, ...added])])
