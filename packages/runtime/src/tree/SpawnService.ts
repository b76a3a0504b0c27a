/** The Spawn capability of one session, for one call. */
import { Principal, Session, type SessionResult, ToolError } from "@bough/protocol"
import type { Invocation, Spawn } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as ActiveTime from "../budget/ActiveTime.ts"
import type { Journal } from "../journal/Journal.ts"
import * as SessionState from "../journal/SessionState.ts"
import type { LeaseLost, StoreFailed } from "../ports/SessionStore.ts"
import * as DeferredCalls from "../session/DeferredCalls.ts"
import type { SessionServices } from "../session/SessionServices.ts"
import * as Child from "./Child.ts"
import * as ChildSpawn from "./ChildSpawn.ts"
import * as Tree from "./Tree.ts"

type CallContext = Invocation.Invocation["Service"]

export const make = (session: SessionServices, call: CallContext): Spawn.Spawn["Service"] => ({
  spawn: (request) => toToolError(spawn(session, call, request)),
  wait: (request) => toToolError(wait(session, request)),
  list: () => Effect.sync(() => requestedChildren(session.journal).map((id) => childOf(session, id))),
  steer: (sessionId, text) =>
    toToolError(
      toChild(session, call, { _tag: "SteerSession", sessionId, text, labels: [...session.journal.state.labels] })
    ),
  cancel: (sessionId, reason) => toToolError(toChild(session, call, { _tag: "CancelSession", sessionId, reason }))
})

const toToolError = <A>(
  effect: Effect.Effect<A, ToolError.ToolError | LeaseLost | StoreFailed>
): Effect.Effect<A, ToolError.ToolError> =>
  Effect.mapError(effect, (error) =>
    error._tag === "LeaseLost" || error._tag === "StoreFailed"
      ? new ToolError.ExecutionError({ message: error.message })
      : error
  )

const spawn = Effect.fnUntraced(function* (session: SessionServices, call: CallContext, request: Spawn.SpawnRequest) {
  const childId = ChildSpawn.childIdOf(call)
  if (!session.journal.state.children.has(childId)) {
    yield* Effect.uninterruptible(Effect.flatMap(ChildSpawn.spawn(session, call, request), Child.start))
  }
  return childOf(session, childId)
})

/** Returns the children that its calls requested. */
const requestedChildren = (journal: Journal["Service"]): ReadonlyArray<Session.SessionId> =>
  Array.from(journal.state.children).flatMap(([id, { spawned }]) => (spawned.purpose === undefined ? [id] : []))

/** Describes the child's current state. */
const childOf = (
  { journal, tree }: Pick<SessionServices, "journal" | "tree">,
  childId: Session.SessionId
): Spawn.Child => {
  const { children } = journal.state
  const { result, spawned } = children.get(childId)!
  const live = tree.live.get(childId)
  return {
    sessionId: childId,
    kind: spawned.kind,
    state: stateOf(result, live),
    title: spawned.title,
    approvals:
      live === undefined ? [] : Tree.pendingRequests(tree, live.session.journal).map(({ approvalId }) => approvalId),
    spent: result?.usage ?? (live === undefined ? noneYet : SessionState.totalSpent(live.session.journal.state)),
    result
  }
}

const noneYet = SessionState.totalSpent(SessionState.empty())

const stateOf = (result: SessionResult.SessionResult | null, live: Tree.Child | undefined): Session.SessionState => {
  if (result !== null) return result.status
  return live === undefined || live.status.parkedAt !== null || live.session.budget.activeTime.waits > 0
    ? "Suspended"
    : "Active"
}

const findChild = (journal: Journal["Service"], sessionId: string) => {
  const childId = Session.SessionId.make(sessionId === "" ? "?" : sessionId)
  const children = requestedChildren(journal)
  if (children.includes(childId)) return Effect.succeed(childId)
  const message = `this session has started no session ${sessionId}`
  return Effect.fail(
    new ToolError.ValidationError({
      message: children.length === 0 ? message : `${message}; there is ${children.join(", ")}`,
      field: "session",
      issues: [{ path: "session", message: "unknown" }]
    })
  )
}

const wait = Effect.fnUntraced(function* (
  session: SessionServices,
  { sessionIds, timeoutMillis, until }: Spawn.WaitRequest
): Effect.fn.Return<ReadonlyArray<Spawn.Child>, ToolError.ToolError | LeaseLost | StoreFailed> {
  const { journal, tree } = session
  const wanted =
    sessionIds === null
      ? [...journal.state.liveChildren]
      : yield* Effect.forEach(sessionIds, (sessionId) => findChild(journal, sessionId))
  const isOver = (): true | null => {
    if (tree.failure !== null || DeferredCalls.decidedCalls(session.turns.tools).length > 0) return true
    const live = wanted.filter((childId) => journal.state.liveChildren.has(childId))
    if (live.length === 0 || (until === "any" && live.length < wanted.length)) return true
    return live.every((childId) => (tree.live.get(childId)?.status.parkedAt ?? null) !== null) ? true : null
  }
  const waiting = ActiveTime.whileWaiting(session.budget.activeTime, tree.changes.waitFor(isOver))
  yield* timeoutMillis === null ? waiting : Effect.timeoutOption(waiting, timeoutMillis)
  return wanted.map((childId) => childOf(session, childId))
})

type ToChild =
  | {
      readonly _tag: "SteerSession"
      readonly sessionId: string
      readonly text: string
      /** The labels of its messages: those of everything that this session has read. */
      readonly labels: ReadonlyArray<Session.Label>
    }
  | { readonly _tag: "CancelSession"; readonly sessionId: string; readonly reason: string }

/** Sends a message through the tree's inbox, once per call; a child that has ended gets none. */
const toChild = Effect.fnUntraced(function* (
  session: SessionServices,
  call: CallContext,
  command: ToChild
): Effect.fn.Return<Spawn.Child, ToolError.ToolError | StoreFailed> {
  const childId = yield* findChild(session.journal, command.sessionId)
  if (session.journal.state.liveChildren.has(childId)) {
    const { journal, tree } = session
    yield* tree.store
      .submit({
        treeId: journal.treeId,
        dedupeKey: `call:${call.callKey}`,
        command: { ...command, sessionId: childId },
        principal: Principal.forSession(journal.sessionId)
      })
      .pipe(Effect.catchTags({ SessionNotFound: Effect.die, ApprovalClosed: Effect.die }))
  }
  return childOf(session, childId)
})
