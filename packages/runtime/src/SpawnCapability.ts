/** The Spawn capability of one session, for one call. */
import { Principal, Session, type SessionResult, ToolError } from "@bough/protocol"
import type { Invocation, Spawn } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as ActiveTime from "./ActiveTime.ts"
import * as Child from "./Child.ts"
import * as PutAside from "./PutAside.ts"
import type { Running } from "./Running.ts"
import * as SessionState from "./SessionState.ts"
import type { LeaseLost, StoreFailed } from "./SessionStore.ts"
import * as Spawning from "./Spawning.ts"
import * as Tree from "./Tree.ts"

type Called = Invocation.Invocation["Service"]

export const make = (running: Running, call: Called): Spawn.Spawn["Service"] => ({
  spawn: (request) => toToolError(spawn(running, call, request)),
  wait: (request) => toToolError(wait(running, request)),
  list: () => Effect.sync(() => asked(running).map((id) => childOf(running, id))),
  steer: (sessionId, text) =>
    toToolError(
      toChild(running, call, { _tag: "SteerSession", sessionId, text, labels: [...running.journal.state.labels] })
    ),
  cancel: (sessionId, reason) => toToolError(toChild(running, call, { _tag: "CancelSession", sessionId, reason }))
})

const toToolError = <A>(
  effect: Effect.Effect<A, ToolError.ToolError | LeaseLost | StoreFailed>
): Effect.Effect<A, ToolError.ToolError> =>
  Effect.mapError(effect, (error) =>
    error._tag === "LeaseLost" || error._tag === "StoreFailed"
      ? new ToolError.ExecutionError({ message: error.message })
      : error
  )

const spawn = Effect.fnUntraced(function* (running: Running, call: Called, request: Spawn.SpawnRequest) {
  const childId = Spawning.childIdOf(call)
  if (!running.journal.state.children.has(childId)) {
    yield* Effect.uninterruptible(Effect.flatMap(Spawning.spawn(running, call, request), Child.start))
  }
  return childOf(running, childId)
})

/** The children that its calls asked for. */
const asked = ({ journal }: Running): ReadonlyArray<Session.SessionId> =>
  Array.from(journal.state.children).flatMap(([id, { spawned }]) => (spawned.purpose === undefined ? [id] : []))

/** The child as it stands. */
const childOf = (running: Running, childId: Session.SessionId): Spawn.Child => {
  const { children } = running.journal.state
  const { result, spawned } = children.get(childId)!
  const live = running.tree.live.get(childId)
  return {
    sessionId: childId,
    kind: spawned.kind,
    state: stateOf(result, live),
    title: spawned.title,
    approvals: live === undefined ? [] : Tree.pendingRequests(live.running).map(({ approvalId }) => approvalId),
    spent: result?.usage ?? (live === undefined ? noneYet : SessionState.spent(live.running.journal.state)),
    result
  }
}

const noneYet = SessionState.spent(SessionState.empty())

const stateOf = (result: SessionResult.SessionResult | null, live: Tree.Child | undefined): Session.State => {
  if (result !== null) return result.status
  return live === undefined || live.parked || live.running.activeTime.waits > 0 ? "Suspended" : "Active"
}

const known = (running: Running, sessionId: string) => {
  const childId = Session.SessionId.make(sessionId === "" ? "?" : sessionId)
  const children = asked(running)
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
  running: Running,
  { sessionIds, timeoutMillis, until }: Spawn.WaitRequest
): Effect.fn.Return<ReadonlyArray<Spawn.Child>, ToolError.ToolError | LeaseLost | StoreFailed> {
  const { journal, tree } = running
  const wanted =
    sessionIds === null
      ? [...journal.state.liveChildren]
      : yield* Effect.forEach(sessionIds, (sessionId) => known(running, sessionId))
  const isOver = (): true | null => {
    if (tree.failure !== null || PutAside.decided(running).length > 0) return true
    const live = wanted.filter((childId) => journal.state.liveChildren.has(childId))
    if (live.length === 0 || (until === "any" && live.length < wanted.length)) return true
    return live.every((childId) => tree.live.get(childId)?.parked ?? false) ? true : null
  }
  const waiting = ActiveTime.waiting(running.activeTime, tree.changes.until(isOver))
  yield* timeoutMillis === null ? waiting : Effect.timeoutOption(waiting, timeoutMillis)
  return wanted.map((childId) => childOf(running, childId))
})

type ToChild =
  | {
      readonly _tag: "SteerSession"
      readonly sessionId: string
      readonly text: string
      /** What it tells is made of what this session was told. */
      readonly labels: ReadonlyArray<Session.Label>
    }
  | { readonly _tag: "CancelSession"; readonly sessionId: string; readonly reason: string }

/** Into the inbox of the tree, once per call; a child that has ended is told nothing. */
const toChild = Effect.fnUntraced(function* (
  running: Running,
  call: Called,
  told: ToChild
): Effect.fn.Return<Spawn.Child, ToolError.ToolError | StoreFailed> {
  const childId = yield* known(running, told.sessionId)
  if (running.journal.state.liveChildren.has(childId)) {
    const { journal, store } = running
    yield* store
      .submit({
        treeId: journal.treeId,
        dedupeKey: `call:${call.callKey}`,
        command: { ...told, sessionId: childId },
        principal: Principal.ofSession(journal.sessionId)
      })
      .pipe(Effect.catchTags({ SessionNotFound: Effect.die, ApprovalClosed: Effect.die }))
  }
  return childOf(running, childId)
})
