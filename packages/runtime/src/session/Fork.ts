/**
 * Creates a new Main from another session's entries up to a given one. Entries and labels are copied; approvals, rules,
 * intents and children are not, and a call that was open there ends here as not run.
 */
import { type Batch, Entry, OpenCalls, Session } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { newSessionId } from "../Identity.ts"
import * as Durability from "../journal/Durability.ts"
import * as EntryPages from "../journal/EntryPages.ts"
import type { Journal } from "../journal/Journal.ts"
import * as SessionState from "../journal/SessionState.ts"
import {
  type JournalCorrupt,
  type LeaseLost,
  type SessionNotFound,
  SessionStore,
  type StoreFailed
} from "../ports/SessionStore.ts"
import { forkOf } from "../Title.ts"
import * as CommandEnds from "./CommandEnds.ts"

/**
 * The entry does not exist, or is inside a step: a fork starts at a point where all calls of a reply have ended or none
 * has begun.
 */
export class NotAStepBoundary extends Schema.TaggedError<NotAStepBoundary>()("NotAStepBoundary", {
  entryId: Schema.String,
  message: Schema.String
}) {}

/** Copies `sessionId` through `throughSeq` (null: all of it) into a new session, and returns its id. */
export const fork = Effect.fn("Fork.fork")(function* (
  sessionId: string,
  throughSeq: number | null
): Effect.fn.Return<
  Session.SessionId,
  SessionNotFound | JournalCorrupt | StoreFailed | LeaseLost | NotAStepBoundary,
  SessionStore
> {
  const store = yield* SessionStore
  const source = yield* store.session(sessionId)
  const sourceEntries = yield* EntryPages.collect(store, source.sessionId, throughSeq)
  const last = sourceEntries.at(-1)?.seq
  if (throughSeq !== null && throughSeq !== last) {
    return yield* new NotAStepBoundary({
      entryId: `${sessionId}/${throughSeq}`,
      message: `the session has no entry ${throughSeq}${last === undefined ? "" : `: its last is ${last}`}`
    })
  }
  if (throughSeq !== null && insideStep(sourceEntries)) {
    return yield* new NotAStepBoundary({
      entryId: `${sessionId}/${throughSeq}`,
      message: `entry ${throughSeq} is inside a step: fork at a message, at a reply, or after the last result of a step`
    })
  }
  const forkId = yield* newSessionId
  const lease = yield* store.acquire(forkId).pipe(Effect.catchTag("TreeBusy", Effect.die))
  const now = yield* store.now
  const batch: Batch.Batch = {
    treeId: forkId,
    epoch: lease.epoch,
    durability: Durability.wholeSession,
    entries: asMain(sourceEntries, now).map(({ body, labels }, seq) => ({
      sessionId: forkId,
      expectedSeq: seq,
      labels,
      body
    })),
    projections: [
      { _tag: "SessionTitle", sessionId: forkId, title: forkOf(source.title) },
      { _tag: "SessionState", sessionId: forkId, state: "Suspended" }
    ]
  }
  yield* store
    .commit(batch)
    .pipe(Effect.catchTag("LeafMoved", Effect.die), Effect.ensuring(Effect.ignore(store.release(lease))))
  return forkId
})

/** True if some calls of the last reply have ended and others have not. */
const insideStep = (entries: ReadonlyArray<Entry.Entry>): boolean => {
  const state = OpenCalls.empty()
  let ended = 0
  for (const entry of entries) {
    if (entry.body._tag === "ModelReplied" && entry.body.completion === "complete") ended = 0
    const open = OpenCalls.append(state, entry)
    if (open !== null && open.askedFor !== null) ended += 1
  }
  return ended > 0 && Array.from(state.openCalls.values()).some(({ askedFor }) => askedFor !== null)
}

type Copy = Pick<Entry.Entry, "labels" | "body">

/** True if a fork copies an entry of the kind. */
const copied: Readonly<Record<Entry.Body["_tag"], boolean>> = {
  // The fork gets its own entry of this kind.
  SessionOpened: false,
  UserMessage: true,
  ContextAdded: true,
  StepStarted: true,
  ModelReplied: true,
  // Approvals, intents, children and rules stay with the original session.
  ApprovalAsked: false,
  ApprovalDecided: false,
  CallStarted: false,
  CallDeferred: true,
  CallEnded: true,
  ChildSpawned: false,
  ChildEnded: true,
  RuleGiven: false,
  RuleRevoked: false,
  CommandEnded: true,
  Compacted: true,
  // The conversation has only the result of the call that asked a model.
  SamplingStarted: false,
  SamplingEnded: false,
  StateChanged: true,
  // The fork continues.
  SessionEnded: false
}

/** The range of a summary is renumbered together with its entries. */
const followers = (entries: ReadonlyArray<Entry.Entry>, firstSeq: number): ReadonlyArray<Copy> => {
  const copies = entries.filter(({ body }) => copied[body._tag])
  const before = (seq: number) => firstSeq + copies.filter((entry) => entry.seq < seq).length
  return copies.map(({ body, labels }) => {
    if (body._tag !== "Compacted") return { labels, body }
    const fromSeq = body.fromSeq === 0 ? 0 : before(body.fromSeq)
    return { labels, body: { ...body, fromSeq, throughSeq: before(body.throughSeq + 1) - 1 } }
  })
}

/**
 * Returns the first entries of a fork: the copied ones, and an end for every call and command that is open after them.
 */
const copiesOf = (entries: ReadonlyArray<Entry.Entry>, firstSeq: number): ReadonlyArray<Copy> => {
  const state = SessionState.empty()
  for (const entry of entries) SessionState.append(state, entry)
  const labels = [...state.labels]
  const notRun = Array.from(state.openCalls.values(), ({ call }): Copy => ({
    labels,
    body: {
      _tag: "CallEnded",
      toolCallId: call.toolCallId,
      tool: call.name,
      outcome: { _tag: "NotRun", reason: "not run in this fork" },
      receipt: null
    }
  }))
  const notRunning = CommandEnds.endsForFork(state).map((body): Copy => ({ labels, body }))
  return [...followers(entries, firstSeq), ...notRun, ...notRunning]
}

const asMain = (entries: ReadonlyArray<Entry.Entry>, openedAtMillis: number): ReadonlyArray<Copy> => {
  const last = entries.at(-1)
  const opened = entries.at(0)?.body
  const origin: Session.Origin = {
    _tag: "Main",
    forkedFrom: last === undefined ? null : { sessionId: last.sessionId, entryId: last.id }
  }
  if (opened?._tag !== "SessionOpened") return copiesOf(entries, 0)
  const { terms: _, ...rest } = opened
  return [{ labels: [], body: { ...rest, kind: "Main", origin, openedAtMillis } }, ...copiesOf(entries, 1)]
}

/**
 * Returns the entries of a Branch that is forked off a session now, after its first entry: all entries before the
 * newest step.
 */
export const entriesBefore = (store: SessionStore["Service"], { sessionId, state }: Journal["Service"]) =>
  Effect.map(EntryPages.collect(store, sessionId, state.boundarySeq - 1), (entries) => copiesOf(entries, 1))

/** Returns the last of these entries. */
export const boundaryOf = ({ sessionId, state }: Journal["Service"]): Session.EntryId =>
  Entry.idOf(sessionId, state.boundarySeq - 1)
