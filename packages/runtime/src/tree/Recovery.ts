/**
 * Children that an earlier process left: a Branch goes on, as does a Worker that waited for a decision; a Worker that was
 * at work has lost it and ends. Their parents learn of every end.
 */
import type { Session } from "@bough/protocol"
import { ToolContext } from "@bough/tool"
import * as Effect from "effect/Effect"
import { makeSession } from "../session/makeSession.ts"
import * as Child from "./Child.ts"
import * as EndChild from "./EndChild.ts"
import * as Journal from "../journal/Journal.ts"
import * as Loop from "../session/Loop.ts"
import * as ReturnResult from "../session/ReturnResult.ts"
import type { SessionContext } from "../session/SessionContext.ts"
import * as SessionState from "../journal/SessionState.ts"
import type { JournalCorrupt, LeaseLost, StoreFailed } from "../ports/SessionStore.ts"
import * as ChildSpawn from "./ChildSpawn.ts"
import type * as Tree from "./Tree.ts"

/** Starts, or ends, every child of the session that is not running here, and what is below it. */
export const recover = Effect.fnUntraced(function* (
  parent: SessionContext
): Effect.fn.Return<void, JournalCorrupt | LeaseLost | StoreFailed> {
  yield* endReflections(parent)
  for (const childId of Array.from(parent.journal.state.liveChildren)) {
    if (parent.tree.live.has(childId)) continue
    const child = yield* load(parent, childId)
    if (child === null) continue
    yield* recover(child.running)
    if (child.kind === "Worker" && SessionState.pendingRequests(child.running.journal.state).length === 0) {
      yield* EndChild.endChild(child, { status: "Failed", reason: ranElsewhere })
      continue
    }
    yield* reopen(child.running)
    yield* Child.start(child)
  }
})

const ranElsewhere = "the process that ran it ended"

/** Nobody waits for a reflection: the next one looks back on the same. It runs no more, and needs nothing to end. */
const endLeft = Effect.fnUntraced(function* (parent: SessionContext, childId: Session.SessionId) {
  const { tree } = parent
  const running = makeSession({
    tree,
    agent: { ...parent.agent, context: ToolContext.empty("Branch") },
    journal: yield* Journal.open(tree.store, tree.lease, childId),
    kind: "Branch",
    parent,
    budget: parent.journal.state.children.get(childId)?.spawned.budget ?? null,
    returnResult: null,
    isQuiet: true
  })
  const live = { ending: null, stopped: false, cutOff: false, parked: false }
  const child: Tree.Child = { running, parent, kind: "Branch", purpose: "reflection", ...live }
  yield* EndChild.endChild(child, { status: "Cancelled", reason: ranElsewhere })
})

/** Ends the reflections that an earlier process left. */
export const endReflections = Effect.fnUntraced(function* (main: SessionContext) {
  for (const [childId, { result, spawned }] of main.journal.state.children) {
    if (spawned.purpose === undefined || result !== null || main.tree.live.has(childId)) continue
    yield* endLeft(main, childId)
  }
})

const load = Effect.fnUntraced(function* (
  parent: SessionContext,
  childId: Session.SessionId
): Effect.fn.Return<Tree.Child | null, JournalCorrupt | StoreFailed> {
  const { tree } = parent
  const spawned = parent.journal.state.children.get(childId)?.spawned
  if (spawned === undefined || spawned.kind === "Main" || tree.childAgent === null) return null
  const journal = yield* Journal.open(tree.store, tree.lease, childId)
  const terms = journal.state.opened?.terms
  const running = makeSession({
    tree,
    agent: yield* Effect.orDie(ChildSpawn.agentBelow(parent, tree.childAgent, spawned.kind)),
    journal,
    kind: spawned.kind,
    parent,
    budget: spawned.budget,
    returnResult: yield* Effect.orDie(ReturnResult.make(terms?.outputSchema ?? null))
  })
  return {
    running,
    parent,
    kind: spawned.kind,
    purpose: null,
    ending: null,
    stopped: false,
    cutOff: false,
    parked: false
  }
})

/** A turn that was cut short with the process is taken up again. */
const reopen = (context: SessionContext) =>
  Loop.isOpen(context) || context.journal.state.liveChildren.size > 0
    ? Effect.void
    : context.journal.append({
        bodies: [{ _tag: "StateChanged", state: "Active", reason: "resumed" }],
        projections: [{ _tag: "SessionState", sessionId: context.journal.sessionId, state: "Active" }]
      })
