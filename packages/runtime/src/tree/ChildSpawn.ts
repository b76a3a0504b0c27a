/** Starting a child: what is allowed, and the one commit by which it exists. */
import { type Budget as BudgetData, Canonical, type Entry, Principal, Session, ToolError } from "@bough/protocol"
import type { Invocation, Spawn, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as ActiveTime from "../budget/ActiveTime.ts"
import type { Agent } from "../session/Agent.ts"
import { makeSession } from "../session/makeSession.ts"
import * as Fork from "../session/Fork.ts"
import * as Journal from "../journal/Journal.ts"
import * as ReturnResult from "../session/ReturnResult.ts"
import { place, type SessionContext } from "../session/SessionContext.ts"
import type { LeaseLost, StoreFailed } from "../ports/SessionStore.ts"
import * as SpawnLimits from "./SpawnLimits.ts"
import type { Child, ChildAgent } from "./Tree.ts"
import { titleOf } from "../session/Title.ts"

type Called = Invocation.Invocation["Service"]

/** The same for every attempt of a call, so that a child is started once. */
export const childIdOf = ({ callKey }: Pick<Called, "callKey">): Session.SessionId =>
  Session.SessionId.make(`ses_${Canonical.digest(`child ${callKey}`).replace("sha256:", "").slice(0, 28)}`)

const schemaTextOf = ({ outputSchema }: Spawn.SpawnRequest): string | null =>
  outputSchema === null ? null : Canonical.stringify(outputSchema)

/** Commits a new child that a call asked for, and returns it, not running yet. */
export const spawn = Effect.fnUntraced(function* (
  parent: SessionContext,
  call: Called,
  request: Spawn.SpawnRequest
): Effect.fn.Return<Child, ToolError.ToolError | LeaseLost | StoreFailed> {
  const { childAgent } = parent.tree
  if (childAgent === null) return yield* new ToolError.ExecutionError({ message: "this program starts no sessions" })
  yield* Effect.fromResult(SpawnLimits.check(parent, request.kind))
  const returnResult = yield* ReturnResult.make(schemaTextOf(request))
  const { toolCallId } = call
  return yield* begin(parent, {
    request,
    agent: yield* agentBelow(parent, childAgent, request.kind),
    childId: childIdOf(call),
    toolCallId,
    returnResult,
    purpose: null
  })
})

/** A child that is to be, whoever wants it. */
export interface Start {
  readonly request: Spawn.SpawnRequest
  /** With no more reach than its parent's. */
  readonly agent: Agent
  readonly childId: Session.SessionId
  readonly toolCallId: Session.ToolCallId
  readonly returnResult: Tool.Any | null
  /** Null: a call asked for it. */
  readonly purpose: Session.Purpose | null
  /** Of what the task holds beside what the parent has learnt. */
  readonly labels?: ReadonlyArray<Session.Label>
}

/** Commits a new child and returns it, not running yet. */
export const begin = Effect.fnUntraced(function* (
  parent: SessionContext,
  start: Start
): Effect.fn.Return<Child, ToolError.ToolError | LeaseLost | StoreFailed> {
  const { agent, childId, purpose, request, returnResult } = start
  const { store } = parent.tree
  const journal = yield* Effect.catchTag(Journal.open(store, parent.tree.lease, childId), "JournalCorrupt", Effect.die)
  const copied = request.start === "Fork" ? yield* copiesOf(parent) : []
  const openedAtMillis = yield* store.now
  let reserved: BudgetData.Limit | null = null
  yield* Journal.commitBoth(parent.journal, journal, () =>
    Result.map(SpawnLimits.reserve(parent, request), (budget) => {
      reserved = budget
      return opening(parent, start, { budget, copied, openedAtMillis })
    })
  )
  ActiveTime.changed(parent.activeTime)
  const running = makeSession({
    tree: parent.tree,
    agent,
    journal,
    kind: request.kind,
    parent,
    budget: reserved,
    returnResult,
    isQuiet: purpose !== null
  })
  const child: Child = {
    running,
    parent,
    kind: request.kind,
    purpose,
    ending: null,
    stopped: false,
    cutOff: false,
    parked: false
  }
  yield* parent.channel.publish({
    _tag: "ChildSpawned",
    ...place(parent),
    childId,
    kind: request.kind,
    title: titleOf(request.task),
    ...(purpose === null ? {} : { purpose })
  })
  return child
})

const copiesOf = ({ journal, store }: SessionContext) =>
  Effect.catchTag(Fork.entriesBefore(store, journal), "JournalCorrupt", ({ message }) =>
    Effect.fail(new ToolError.ExecutionError({ message }))
  )

/** An agent whose reach is cut to its parent's. */
export const agentBelow = (
  parent: SessionContext,
  childAgent: ChildAgent,
  kind: Child["kind"]
): Effect.Effect<Agent, ToolError.ExecutionError> =>
  Effect.map(childAgent(kind), (agent) => ({
    ...agent,
    context: {
      kind,
      capabilities: new Map(
        Array.from(agent.context.capabilities).filter(([key]) => parent.toolContext.capabilities.has(key))
      )
    }
  }))

interface Facts {
  readonly budget: BudgetData.Limit
  readonly copied: ReadonlyArray<Pick<Entry.Entry, "body" | "labels">>
  readonly openedAtMillis: number
}

/** What parent and child append. The brief carries all that the parent has learnt. */
const opening = (parent: SessionContext, start: Start, facts: Facts): Journal.Both => {
  const { childId, purpose, request, toolCallId } = start
  const { budget, copied } = facts
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
        opened(parent, start, facts),
        ...copied.map(({ body }) => body),
        ...(request.start === "Fork" ? [] : instructionsOf(start.agent)),
        {
          _tag: "UserMessage",
          text: task,
          media: [],
          principal: Principal.ofSession(parentId),
          messageId: `task:${childId}`
        }
      ],
      labels: [...new Set([...state.labels, ...(start.labels ?? [])])],
      projections: [{ _tag: "SessionTitle", sessionId: childId, title }]
    }
  }
}

const opened = (parent: SessionContext, start: Start, { budget, copied, openedAtMillis }: Facts): Entry.Body => {
  const { agent, request } = start
  const { kind, lifetimeMillis, maxSteps } = request
  const { limits } = parent.agent
  const usualMillis = kind === "Branch" ? limits.branchLifetimeMillis : limits.workerLifetimeMillis
  return {
    _tag: "SessionOpened",
    v: 1,
    kind,
    origin: originOf(parent, start),
    agent: agent.name,
    user: agent.user,
    workspaceRoot: agent.workspaceRoot,
    channel: null,
    openedAtMillis,
    terms: {
      parentPath: parent.path,
      budget,
      lifetimeMillis: lifetimeMillis ?? usualMillis,
      maxSteps: maxSteps ?? limits.maxSteps,
      copied: copied.length,
      outputSchema: schemaTextOf(request)
    }
  }
}

const originOf = ({ journal }: SessionContext, { request, toolCallId }: Start): Session.Origin => {
  const parentId = journal.sessionId
  if (request.kind === "Worker") return { _tag: "Worker", parentId, spawnedBy: toolCallId }
  return { _tag: "Branch", parentId, forkedAt: request.start === "Fork" ? Fork.boundaryOf(journal) : null }
}

/** Those of a copy are in it. */
const instructionsOf = ({ instructions }: Agent): ReadonlyArray<Entry.Body> =>
  instructions.map(({ source, text }) => ({
    _tag: "ContextAdded",
    source,
    text,
    digest: Canonical.digestOf({ source, text })
  }))
