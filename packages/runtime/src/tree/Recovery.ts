/**
 * Recovers the children of an earlier process: a Branch continues, and so does a Worker that waited for a decision; a
 * Worker that was running has lost its work and is ended. Their parents are notified of every end.
 */
import { OpenCalls, type Session } from "@bough/protocol"
import { ToolContext } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Journal from "../journal/Journal.ts"
import type { JournalCorrupt, LeaseLost, StoreFailed } from "../ports/SessionStore.ts"
import * as CommandEnds from "../session/CommandEnds.ts"
import * as Loop from "../session/Loop.ts"
import { makeSession } from "../session/makeSession.ts"
import * as ReturnResult from "../session/ReturnResult.ts"
import type { SessionServices } from "../session/SessionServices.ts"
import * as Child from "./Child.ts"
import * as ChildSpawn from "./ChildSpawn.ts"
import * as EndChild from "./EndChild.ts"
import * as RunningChild from "./RunningChild.ts"
import * as Tree from "./Tree.ts"

/** Starts or ends every child of the session that is not running here, and the child's descendants. */
export const recover = Effect.fnUntraced(function* (
  parent: SessionServices
): Effect.fn.Return<void, JournalCorrupt | LeaseLost | StoreFailed> {
  yield* endReflections(parent)
  for (const childId of Array.from(parent.journal.state.liveChildren)) {
    if (parent.tree.live.has(childId)) continue
    const loaded = yield* load(parent, childId)
    if (loaded === null) continue
    const { child, unavailable } = loaded
    yield* recover(child.session)
    if (unavailable !== null) {
      yield* EndChild.endChild(child, { status: "Failed", reason: unavailable })
      continue
    }
    if (child.kind === "Worker" && OpenCalls.pendingRequests(child.session.journal.state).length === 0) {
      yield* EndChild.endChild(child, { status: "Failed", reason: processEnded })
      continue
    }
    yield* reopen(child.session.journal)
    yield* Child.start(child)
  }
})

const processEnded = "the process that ran it ended"

/**
 * Ends a reflection that a process left unfinished: the next one covers the same conversation. It does not run again, so
 * its session gets no capabilities.
 */
const endUnfinished = Effect.fnUntraced(function* (parent: SessionServices, childId: Session.SessionId) {
  const { tree } = parent
  const session = makeSession({
    tree,
    spawning: parent.spawning,
    agent: { ...parent.agent, context: ToolContext.empty("Branch") },
    journal: yield* Journal.open({ store: tree.store, lease: tree.lease }, childId),
    kind: "Branch",
    parent,
    budget: parent.journal.state.children.get(childId)?.spawned.budget ?? null,
    returnResult: null,
    isQuiet: true
  })
  const child = RunningChild.make({ session, parent, kind: "Branch", purpose: "reflection" })
  yield* EndChild.endChild(child, { status: "Cancelled", reason: processEnded })
})

/** Ends the reflections that an earlier process left. */
export const endReflections = Effect.fnUntraced(function* (main: SessionServices) {
  for (const [childId, { result, spawned }] of main.journal.state.children) {
    if (spawned.purpose === undefined || result !== null || main.tree.live.has(childId)) continue
    yield* endUnfinished(main, childId)
  }
})

/** A child from an earlier process. `unavailable`: the reason why it cannot continue; null: nothing prevents it. */
interface LoadedChild {
  readonly child: RunningChild.RunningChild
  readonly unavailable: string | null
}

const load = Effect.fnUntraced(function* (
  parent: SessionServices,
  childId: Session.SessionId
): Effect.fn.Return<LoadedChild | null, JournalCorrupt | LeaseLost | StoreFailed> {
  const { tree } = parent
  const spawned = parent.journal.state.children.get(childId)?.spawned
  if (spawned === undefined || spawned.kind === "Main" || tree.childAgent === null) return null
  const journal = yield* Journal.open(Tree.owner(tree), childId)
  const terms = journal.state.opened?.terms
  const name = journal.state.opened?.agent ?? parent.agent.name
  const named = name === parent.agent.name ? null : name
  const found = yield* Effect.result(ChildSpawn.childAgentOf(parent, tree.childAgent, { kind: spawned.kind, named }))
  // No other agent is used instead, because it might have more rights. If its own agent is unavailable, the child gets
  // no capabilities and ends.
  const agent = Result.isSuccess(found) ? found.success : { ...parent.agent, context: ToolContext.empty(spawned.kind) }
  yield* CommandEnds.record(journal, agent.workspace.commands ?? null)
  const session = makeSession({
    tree,
    spawning: parent.spawning,
    agent,
    journal,
    kind: spawned.kind,
    parent,
    budget: spawned.budget,
    returnResult: yield* Effect.orDie(ReturnResult.make(terms?.outputSchema ?? null))
  })
  return {
    child: RunningChild.make({ session, parent, kind: spawned.kind, purpose: null }),
    unavailable: Result.isFailure(found) ? found.failure.message : null
  }
})

/** Opens the child's turn again if it is closed and no descendant is live, so that the child continues. */
const reopen = (journal: Journal.Journal["Service"]) =>
  Loop.isOpen(journal) || journal.state.liveChildren.size > 0
    ? Effect.void
    : journal.append({
        bodies: [{ _tag: "StateChanged", state: "Active", reason: "resumed" }],
        projections: [{ _tag: "SessionState", sessionId: journal.sessionId, state: "Active" }]
      })
