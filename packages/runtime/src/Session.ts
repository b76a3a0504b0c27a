/** A session that this process owns: send it messages, run its turns, call its tools. */
import { type Call, Dispatcher, Gate, Ledger } from "@bough/dispatch"
import { type Batch, Canonical, type Entry, type Message, type Session as SessionData } from "@bough/protocol"
import { Capability, type Tool, ToolContext } from "@bough/tool"
import { type Rule, RuleText } from "@bough/policy"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import type { Agent } from "./Agent.ts"
import * as ApprovalGate from "./ApprovalGate.ts"
import { BlobStore } from "./BlobStore.ts"
import * as CallLedger from "./CallLedger.ts"
import * as Calls from "./Calls.ts"
import { Channel } from "./Channel.ts"
import { newMessageId, newSessionId } from "./Identity.ts"
import * as Inbox from "./Inbox.ts"
import * as Journal from "./Journal.ts"
import * as Provenance from "./Provenance.ts"
import { Model, type ModelError } from "./Model.ts"
import * as ReadEarlier from "./ReadEarlier.ts"
import type { Running } from "./Running.ts"
import {
  type JournalCorrupt,
  type LeaseLost,
  type SessionNotFound,
  SessionStore,
  StoreFailed,
  type TreeBusy
} from "./SessionStore.ts"
import * as SpilledOutput from "./SpilledOutput.ts"
import * as SystemPrompt from "./SystemPrompt.ts"
import * as Turn from "./Turn.ts"
import * as UseTools from "./UseTools.ts"

/** Everything up to the failure stays in the journal; a later `run` or `resume` goes on from there. */
export type TurnFailure = ModelError | LeaseLost | StoreFailed

export interface UserInput {
  readonly text: string
  readonly media: ReadonlyArray<Message.Media>
}

export interface Session {
  readonly sessionId: SessionData.SessionId
  /** Whether there is something to go on with: a turn left in the middle, a parked approval, a message not yet taken. */
  readonly hasOpenTurn: Effect.Effect<boolean, StoreFailed>
  /**
   * Sends a message and runs turns until none is waiting. Durable before the model is called. Interrupting it stops
   * what runs, records that, and leaves the session usable.
   */
  readonly run: (input: UserInput) => Effect.Effect<Turn.TurnResult, TurnFailure>
  /** Goes on with what was left; null: nothing was. */
  readonly resume: Effect.Effect<Turn.TurnResult | null, TurnFailure>
  /** Joins the running turn before its next step, or starts the next one. Durable on return. */
  readonly steer: (text: string, media?: ReadonlyArray<Message.Media>) => Effect.Effect<void, LeaseLost | StoreFailed>
  /** Runs one tool as the session would, outside of any turn. `argumentsText` is JSON. */
  readonly call: (tool: string, argumentsText: string) => Effect.Effect<Called, LeaseLost | StoreFailed>
}

/** A call by a person, with the name that the journal knows it by. */
export type Called = Call.Dispatched & { readonly toolCallId: SessionData.ToolCallId }

export interface OpenOptions {
  readonly agent: Agent
  /** Null: a new Main, which is stored with its first message. */
  readonly sessionId: string | null
}

/** Takes a session over for this process until the scope closes. */
export const open = Effect.fnUntraced(function* (
  options: OpenOptions
): Effect.fn.Return<
  Session,
  TreeBusy | SessionNotFound | JournalCorrupt | StoreFailed,
  Scope.Scope | SessionStore | BlobStore | Model | Channel
> {
  const store = yield* SessionStore
  const sessionId =
    options.sessionId === null ? yield* newSessionId : (yield* store.session(options.sessionId)).sessionId
  const treeId = options.sessionId === null ? sessionId : (yield* store.session(sessionId)).treeId
  const lease = yield* Effect.acquireRelease(store.acquire(treeId), (held) => Effect.ignore(store.release(held)))
  const journal = yield* Journal.open(store, lease, sessionId)
  const running = yield* make(options.agent, journal)
  yield* Effect.forkScoped(watchInbox(running))
  return sessionOf(running)
})

const make = Effect.fnUntraced(function* (agent: Agent, journal: Journal.Journal["Service"]) {
  const store = yield* SessionStore
  const blobs = yield* BlobStore
  const channel = yield* Channel
  const useTools = UseTools.make(SystemPrompt.deferredTools(agent).map(({ name }) => name))
  const readEarlier = ReadEarlier.make(journal, store)
  const spilled = ToolContext.constant(SpilledOutput.make(journal, blobs))
  const registry = registryOf(agent, useTools === null ? [readEarlier] : [useTools, readEarlier])
  const running: Running = {
    agent,
    system: SystemPrompt.text(agent),
    declarations: SystemPrompt.declarationsOf(agent, { readEarlier, useTools }, journal.state),
    registry,
    toolContext: ToolContext.provide(agent.context, Capability.SpilledOutput, spilled),
    journal,
    store,
    model: yield* Model,
    channel,
    dispatching: Context.make(Ledger.Ledger, CallLedger.make(journal, blobs)).pipe(
      Context.add(
        Gate.Gate,
        ApprovalGate.make({ journal, store, channel, deadlineMillis: agent.limits.approvalDeadlineMillis })
      )
    ),
    policy: policyOf(agent, journal),
    provenance: Provenance.of(journal.provenance, {
      addresses: agent.addresses,
      labelsOf: (tool) => Capability.labelsOf(registry.get(tool)?.capabilities ?? [])
    }),
    permits: Semaphore.makeUnsafe(agent.limits.concurrentCalls),
    recovered: new Set(journal.state.openCalls.keys()),
    inbox: { mayHoldMore: true }
  }
  return running
})

const registryOf = ({ registry }: Agent, own: ReadonlyArray<Tool.Any>): Running["registry"] => {
  const all = new Map(registry)
  for (const tool of own) all.set(tool.name, tool)
  return all
}

/** The agent's rules and those that people gave this session, parsed once each. */
const policyOf = (agent: Agent, journal: Journal.Journal["Service"]) => {
  const given: Array<Rule.Rule> = []
  let read = 0
  return () => {
    const { rules } = journal.state
    while (read < rules.length) {
      const rule = RuleText.parse(rules[read++])
      if (Result.isSuccess(rule)) given.push(rule.success)
    }
    return given.length === 0 ? agent.policy : { ...agent.policy, rules: [...agent.policy.rules, ...given] }
  }
}

const watchInbox = (running: Running) =>
  Stream.runForEach(running.store.inboxChanges(running.journal.treeId), () =>
    Effect.sync(() => {
      running.inbox.mayHoldMore = true
    })
  ).pipe(Effect.ignore)

const sessionOf = (running: Running): Session => {
  const { journal } = running
  return {
    sessionId: journal.sessionId,
    hasOpenTurn: Effect.map(Inbox.waiting(running), (message) => message !== null || isOpen(running)),
    run: (input) =>
      Effect.andThen(submit(running, { _tag: "SendMessage", ...input }), Effect.map(runAll(running), requireResult)),
    resume: runAll(running),
    steer: (text, media = []) => submit(running, { _tag: "SteerSession", text, media }),
    call: (tool, argumentsText) => callOne(running, tool, argumentsText)
  }
}

type Submitted =
  | { readonly _tag: "SendMessage"; readonly text: string; readonly media: ReadonlyArray<Message.Media> }
  | { readonly _tag: "SteerSession"; readonly text: string; readonly media: ReadonlyArray<Message.Media> }

const submit = Effect.fnUntraced(function* (running: Running, message: Submitted) {
  const { agent, journal, store } = running
  yield* ensureOpened(running)
  yield* store
    .submit({
      treeId: journal.treeId,
      dedupeKey: yield* newMessageId,
      command: { ...message, sessionId: journal.sessionId },
      principal: agent.user ?? "user"
    })
    .pipe(Effect.catchTags({ SessionNotFound: Effect.die, ApprovalClosed: Effect.die }))
  running.inbox.mayHoldMore = true
})

const isOpen = ({ journal }: Running): boolean => journal.state.turnOpen || journal.state.openCalls.size > 0

/** Once for all calls of what runs: a context merged for each of them would be the dearest part of a short call. */
const withPorts = <A, E>(effect: Effect.Effect<A, E, Gate.Gate | Ledger.Ledger>, { dispatching }: Running) =>
  Effect.provideContext(effect, dispatching)

/** Turns until no message waits; the last one's result, null when there was nothing to do. */
const runAll = Effect.fnUntraced(function* (running: Running) {
  // A message to a turn that was left open joins it, after the results that its last reply asked for.
  yield* Turn.settleOpen(running)
  if (!(yield* Inbox.takeMessage(running)) && !isOpen(running)) return null
  let result = yield* Turn.run(running)
  while (result.status === "completed" && (yield* Inbox.takeMessage(running))) result = yield* Turn.run(running)
  return result
}, withPorts)

/** After a message was sent there is a turn to run. */
const requireResult = (result: Turn.TurnResult | null): Turn.TurnResult => {
  if (result === null) throw new Error("a message that was stored is not in the inbox")
  return result
}

/** A session is stored with the first thing that happens in it; instructions join when they are new to it. */
const ensureOpened = Effect.fnUntraced(function* (
  { agent, channel, journal, store }: Running,
  whenNew: ReadonlyArray<Batch.Projection> = []
) {
  const { state } = journal
  const openedAtMillis = yield* store.now
  const opened: ReadonlyArray<Entry.Body> =
    state.opened === null
      ? [
          {
            _tag: "SessionOpened",
            v: 1,
            kind: "Main",
            origin: { _tag: "Main", forkedFrom: null },
            agent: agent.name,
            user: agent.user,
            workspaceRoot: agent.workspaceRoot,
            channel: channel.name,
            openedAtMillis
          }
        ]
      : []
  const contexts = agent.instructions.flatMap(({ source, text }): ReadonlyArray<Entry.Body> => {
    const digest = Canonical.digestOf({ source, text })
    return state.contexts.has(digest) ? [] : [{ _tag: "ContextAdded", source, text, digest }]
  })
  const bodies = [...opened, ...contexts]
  const projections = opened.length === 0 ? [] : whenNew
  if (bodies.length > 0) yield* journal.append({ bodies, projections, durability: "Relaxed" })
})

/** A session that began with a person's call has no message to be named by, and no turn that is running. */
const calledFirst = (sessionId: SessionData.SessionId, tool: string): ReadonlyArray<Batch.Projection> => [
  { _tag: "SessionTitle", sessionId, title: `call ${tool}` },
  { _tag: "SessionState", sessionId, state: "Suspended" }
]

const callOne = Effect.fnUntraced(function* (running: Running, name: string, argumentsText: string) {
  yield* ensureOpened(running, calledFirst(running.journal.sessionId, name))
  const toolCallId = (yield* newMessageId).replace("msg_", "call_") as SessionData.ToolCallId
  return yield* Dispatcher.dispatch(
    // A person wrote it: whatever the session was told is not in it.
    { toolCallId, name, arguments: argumentsText, labels: [], prior: null },
    Calls.callerOf(running)
  ).pipe(
    Effect.catchTag("NotRecorded", Calls.causeOf),
    Effect.map((dispatched): Called => ({ ...dispatched, toolCallId }))
  )
}, withPorts)
