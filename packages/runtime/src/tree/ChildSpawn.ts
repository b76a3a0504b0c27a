/** Starts a child: checks the limits, and creates it in one commit. */
import { type Budget as BudgetData, Canonical, type Entry, Principal, Session, ToolError } from "@bough/protocol"
import type { Invocation, Spawn, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as ActiveTime from "../budget/ActiveTime.ts"
import * as Journal from "../journal/Journal.ts"
import type { LeaseLost, StoreFailed } from "../ports/SessionStore.ts"
import type { Agent } from "../session/Agent.ts"
import * as Fork from "../session/Fork.ts"
import { makeSession } from "../session/makeSession.ts"
import * as ReturnResult from "../session/ReturnResult.ts"
import type { SessionServices } from "../session/SessionServices.ts"
import * as StandingContext from "../session/StandingContext.ts"
import { titleOf } from "../Title.ts"
import * as RunningChild from "./RunningChild.ts"
import * as SpawnLimits from "./SpawnLimits.ts"
import * as Tree from "./Tree.ts"

type CallContext = Invocation.Invocation["Service"]

/** Returns the same id for every attempt of a call, so that a child is started once. */
export const childIdOf = ({ callKey }: Pick<CallContext, "callKey">): Session.SessionId =>
  Session.SessionId.make(`ses_${Canonical.digest(`child ${callKey}`).replace("sha256:", "").slice(0, 28)}`)

const schemaTextOf = ({ outputSchema }: Spawn.SpawnRequest): string | null =>
  outputSchema === null ? null : Canonical.stringify(outputSchema)

/** Commits a new child that a call requested, and returns it, not running yet. */
export const spawn = Effect.fnUntraced(function* (
  parent: SessionServices,
  call: CallContext,
  request: Spawn.SpawnRequest
): Effect.fn.Return<RunningChild.RunningChild, ToolError.ToolError | LeaseLost | StoreFailed> {
  const { childAgent } = parent.tree
  if (childAgent === null) return yield* new ToolError.ExecutionError({ message: "this program starts no sessions" })
  yield* Effect.fromResult(SpawnLimits.check(parent, request.kind))
  const returnResult = yield* ReturnResult.make(schemaTextOf(request))
  const { toolCallId } = call
  return yield* begin(parent, {
    request,
    agent: yield* childAgentOf(parent, childAgent, { kind: request.kind, named: request.agent ?? null }),
    childId: childIdOf(call),
    toolCallId,
    returnResult,
    purpose: null
  })
})

/** The description of a child that a call or the runtime starts. */
export interface Start {
  readonly request: Spawn.SpawnRequest
  /** The child's agent, whose reach is at most that of its parent. */
  readonly agent: Agent
  readonly childId: Session.SessionId
  readonly toolCallId: Session.ToolCallId
  readonly returnResult: Tool.Any | null
  /** Null: a call requested the child. */
  readonly purpose: Session.Purpose | null
  /** The labels of the task in addition to those of the parent. */
  readonly labels?: ReadonlyArray<Session.Label>
}

/** Commits a new child and returns it, not running yet. */
export const begin = Effect.fnUntraced(function* (
  parent: SessionServices,
  start: Start
): Effect.fn.Return<RunningChild.RunningChild, ToolError.ToolError | LeaseLost | StoreFailed> {
  const { agent, childId, purpose, request, returnResult } = start
  const { store } = parent.tree
  const owner = purpose === null ? Tree.owner(parent.tree) : { store, lease: parent.tree.lease }
  const journal = yield* Effect.catchTag(Journal.open(owner, childId), "JournalCorrupt", Effect.die)
  const copied = request.start === "Fork" ? yield* copiesOf(parent) : []
  const openedAtMillis = yield* store.now
  const environment = yield* StandingContext.forChild(agent)
  let reserved: BudgetData.Limit | null = null
  yield* Journal.commitBoth(parent.journal, journal, () =>
    Result.map(SpawnLimits.reserve(parent, start), (budget) => {
      reserved = budget
      return openingCommit(parent, start, { budget, copied, environment, openedAtMillis })
    })
  ).pipe(
    // The child exists if the store wrote the commit that it reported as failed: without a start, its parent would wait.
    Effect.catchIf(
      (error) => error._tag === "StoreFailed" && parent.journal.state.children.has(childId),
      () => Effect.void
    )
  )
  ActiveTime.notifyChange(parent.budget.activeTime)
  const session = makeSession({
    tree: parent.tree,
    spawning: parent.spawning,
    agent,
    journal,
    kind: request.kind,
    parent,
    budget: reserved,
    returnResult,
    isQuiet: purpose !== null
  })
  return RunningChild.make({ session, parent, kind: request.kind, purpose })
})

const copiesOf = ({ journal, tree }: SessionServices) =>
  Effect.catchTag(Fork.entriesBefore(tree.store, journal), "JournalCorrupt", ({ message }) =>
    Effect.fail(new ToolError.ExecutionError({ message }))
  )

/** Restricts an agent's reach to its parent's. */
export const childAgentOf = (
  parent: SessionServices,
  childAgent: Tree.ChildAgent,
  { kind, named }: { readonly kind: Tree.ChildKind; readonly named: string | null }
): Effect.Effect<Agent, ToolError.ToolError> =>
  Effect.map(childAgent(kind, parent.agent, named), (agent) => ({
    ...agent,
    context: {
      kind,
      capabilities: new Map(
        Array.from(agent.context.capabilities).filter(([key]) => parent.toolContext.capabilities.has(key))
      )
    }
  }))

interface ChildFacts {
  readonly budget: BudgetData.Limit
  readonly copied: ReadonlyArray<Pick<Entry.Entry, "body" | "labels">>
  readonly environment: ReadonlyArray<Entry.Body>
  readonly openedAtMillis: number
}

/** Returns the first entries of parent and child. The brief has all labels of the parent. */
const openingCommit = (parent: SessionServices, start: Start, facts: ChildFacts): Journal.PairCommit => {
  const { childId, purpose, request, toolCallId } = start
  const { budget, copied, environment } = facts
  const { kind, task } = request
  const { sessionId: parentId, state } = parent.journal
  const title = titleOf(task)
  return {
    parent: {
      bodies: [
        { _tag: "ChildSpawned", childId, kind, toolCallId, title, budget, ...(purpose === null ? {} : { purpose }) }
      ]
    },
    child: {
      bodies: [
        openedEntry(parent, start, facts),
        ...copied.map(({ body }) => body),
        ...(request.start === "Fork" ? [] : [...environment, ...instructionsOf(start.agent)]),
        {
          _tag: "UserMessage",
          text: task,
          media: [],
          principal: Principal.forSession(parentId),
          messageId: `task:${childId}`
        }
      ],
      labels: [...new Set([...state.labels, ...(start.labels ?? [])])],
      projections: [{ _tag: "SessionTitle", sessionId: childId, title }]
    }
  }
}

const openedEntry = (
  parent: SessionServices,
  start: Start,
  { budget, copied, openedAtMillis }: ChildFacts
): Entry.Body => {
  const { agent, request } = start
  const { kind, lifetimeMillis, maxSteps } = request
  const { limits } = parent.agent
  // A named agent's own limit applies even if the call requests another one.
  const ownSteps = isNamed(start) ? agent.limits.maxSteps : Infinity
  const usualMillis = kind === "Branch" ? limits.branchLifetimeMillis : limits.workerLifetimeMillis
  return {
    _tag: "SessionOpened",
    v: 1,
    kind,
    origin: originOf(parent.journal, start),
    agent: agent.name,
    user: agent.user,
    workspaceRoot: agent.workspace.root,
    channel: null,
    openedAtMillis,
    terms: {
      parentPath: parent.path,
      budget,
      lifetimeMillis: lifetimeMillis ?? usualMillis,
      maxSteps: Math.min(maxSteps ?? limits.maxSteps, ownSteps),
      copied: copied.length,
      outputSchema: schemaTextOf(request)
    }
  }
}

/** True if the child has another agent than its parent. */
const isNamed = ({ request }: Pick<Start, "request">): boolean => request.agent !== undefined

const originOf = (journal: Journal.Journal["Service"], { request, toolCallId }: Start): Session.Origin => {
  const parentId = journal.sessionId
  if (request.kind === "Worker") return { _tag: "Worker", parentId, spawnedBy: toolCallId }
  return { _tag: "Branch", parentId, forkedAt: request.start === "Fork" ? Fork.boundaryOf(journal) : null }
}

/** Returns the child's instructions; a copy of the parent's entries contains them already. */
const instructionsOf = ({ prompt: { instructions } }: Agent): ReadonlyArray<Entry.Body> =>
  instructions.map(({ source, text }) => ({
    _tag: "ContextAdded",
    source,
    text,
    digest: Canonical.digestOf({ source, text })
  }))
