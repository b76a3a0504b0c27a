/** The state of one session of a tree in the reader of a turn. */
import { type Approval, type Entry, OpenCalls, type Session } from "@bough/protocol"
import { SessionState } from "@bough/runtime"
import * as ReplyRuns from "./ReplyRuns.ts"

interface Step {
  readonly turn: number
  readonly step: number
}

export interface SessionView {
  readonly sessionId: Session.SessionId
  /** A fold over all entries that were read. */
  readonly state: SessionState.SessionState
  /** The `seq` from which entries are emitted; null: none are emitted yet. */
  reportedFrom: number | null
  /** Null: this is the Main, or it was spawned before the first entry that was read. */
  spawned: (Entry.BodyOf<"ChildSpawned"> & { readonly parentId: Session.SessionId }) | null
  /** True once ChildStarted was emitted, which precedes everything else of a child. */
  isAnnounced: boolean
  /** True if a turn runs. */
  isInTurn: boolean
  /** The step whose reply is awaited; null: no reply is awaited. */
  awaited: Step | null
  /** True if every delta of the awaited reply so far was received. */
  receivesDeltas: boolean
  runs: ReplyRuns.ReplyRuns
  /** Calls whose start was emitted. */
  readonly started: Set<string>
}

export const make = (sessionId: Session.SessionId): SessionView => ({
  sessionId,
  state: SessionState.empty(),
  reportedFrom: null,
  spawned: null,
  isAnnounced: false,
  isInTurn: false,
  awaited: null,
  receivesDeltas: false,
  runs: ReplyRuns.make(),
  started: new Set()
})

/** Returns true if the stream emits the next entries of this session. */
export const isReported = ({ state, reportedFrom }: SessionView): boolean =>
  reportedFrom !== null && state.nextSeq >= reportedFrom

/** Awaits the reply of a started step; the reply of a summary is not emitted. */
export const awaitStep = (view: SessionView, body: Entry.BodyOf<"StepStarted">): void => {
  view.awaited = body.purpose === undefined ? { turn: body.turn, step: body.step } : null
  view.receivesDeltas = false
  view.runs = ReplyRuns.make()
}

export const isAwaited = ({ awaited }: SessionView, { step, turn }: Step): boolean =>
  awaited !== null && awaited.turn === turn && awaited.step === step

/** Returns true if the session has nothing to do, or can do nothing until a user decides. */
export const isIdle = ({ isInTurn, state }: SessionView): boolean =>
  !isInTurn && !state.turnOpen && Array.from(state.openCalls.values()).every((open) => isPending(open))

const isPending = (open: OpenCalls.OpenCall): boolean => OpenCalls.pendingRequest(open) !== null

export const pendingRequests = ({ state }: SessionView): ReadonlyArray<Approval.Request> =>
  OpenCalls.pendingRequests(state)

/** Returns its children that have not ended. */
export const liveChildren = ({ state }: SessionView): ReadonlyArray<Session.SessionId> =>
  Array.from(state.liveChildren).filter((childId) => state.children.get(childId)?.spawned.purpose === undefined)
