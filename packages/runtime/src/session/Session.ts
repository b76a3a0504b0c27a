/** A session that this process owns: send it messages, run its turns, call its tools. */
import { Redaction, ResultCache, Trace } from "@bough/dispatch"
import type { Entry, Message, Session as SessionData, SessionResult } from "@bough/protocol"
import type * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import * as PendingApprovals from "../approval/PendingApprovals.ts"
import * as SessionRules from "../approval/SessionRules.ts"
import * as Compaction from "../compaction/Compaction.ts"
import { newSessionId } from "../Identity.ts"
import * as EventLog from "../journal/EventLog.ts"
import * as Inbox from "../journal/Inbox.ts"
import * as Journal from "../journal/Journal.ts"
import { openJournal } from "../journal/SessionOpened.ts"
import * as SessionState from "../journal/SessionState.ts"
import { BlobStore } from "../ports/BlobStore.ts"
import { Channel } from "../ports/Channel.ts"
import { Model } from "../ports/Model.ts"
import {
  type JournalCorrupt,
  type Lease,
  LeaseLost,
  type SessionNotFound,
  SessionStore,
  type StoreFailed,
  type TreeBusy
} from "../ports/SessionStore.ts"
import * as Signal from "../Signal.ts"
import * as SpawnService from "../tree/SpawnService.ts"
import * as Tree from "../tree/Tree.ts"
import type { Agent } from "./Agent.ts"
import { continueSession, rereadInboxes, type TurnFailure } from "./ContinueSession.ts"
import * as ControlRows from "./ControlRows.ts"
import * as DescendantScopes from "./DescendantScopes.ts"
import { findMain, type NotAMain } from "./findMain.ts"
import * as Loop from "./Loop.ts"
import { makeSession } from "./makeSession.ts"
import * as Reflection from "./Reflection.ts"
import { checkPrincipal, dedupeKeyOf, type PrincipalRefused, type Sender } from "./Sender.ts"
import * as SessionCache from "./SessionCache.ts"
import type { SessionServices } from "./SessionServices.ts"
import * as TreeCommands from "./TreeCommands.ts"
import * as Turn from "./Turn.ts"
import * as UndoneChanges from "./UndoneChanges.ts"
import * as UserCommands from "./UserCommands.ts"
import * as UserToolCall from "./UserToolCall.ts"

export type { TurnFailure } from "./ContinueSession.ts"
export { create, type CreationResult, type CreateOptions, KeyReused } from "./CreateSession.ts"
export { NotAMain } from "./findMain.ts"
export type { RecordedCall } from "./UserToolCall.ts"
export { PrincipalRefused, type Sender } from "./Sender.ts"

/** A message of the user: the input of a run. */
export interface UserInput {
  readonly text: string
  readonly media: ReadonlyArray<Message.Media>
}

/** `inserted` is false if a message with that key of that user already existed. */
export interface SubmitResult {
  readonly inserted: boolean
}

export type RunResult = Turn.TurnResult & SubmitResult

export interface Session {
  readonly sessionId: SessionData.SessionId
  /** True if its journal contains its whole state, so that it can be closed and reopened without a loss. */
  readonly canUnload: () => boolean
  /** True if there is unfinished work: an open turn, a parked approval, a waiting message. */
  readonly hasOpenTurn: Effect.Effect<boolean, JournalCorrupt | LeaseLost | StoreFailed>
  /**
   * Sends a message and runs turns until no message is waiting. The message is durable before the model is called. An
   * interruption stops the work and is recorded; the session stays usable. If another `run` or `resume` of this session
   * is active, the call waits, and returns the session's state if the other one took the message. A message with a
   * known key is not sent again: open work continues, and the session's state is returned. Everything before a
   * failure is in the journal; a later `run` or `resume` continues from there.
   */
  readonly run: {
    (input: UserInput): Effect.Effect<RunResult, TurnFailure>
    (input: UserInput, from: Sender): Effect.Effect<RunResult, TurnFailure | PrincipalRefused>
  }
  /** Continues open work, or processes a message that arrived meanwhile; null: there was neither. */
  readonly resume: Effect.Effect<Turn.TurnResult | null, TurnFailure>
  /** Joins the running turn before its next step, or starts the next one. Durable on return. */
  readonly steer: {
    (
      text: string,
      media?: ReadonlyArray<Message.Media>
    ): Effect.Effect<SubmitResult, LeaseLost | StoreFailed | JournalCorrupt>
    (
      text: string,
      media: ReadonlyArray<Message.Media>,
      from: Sender
    ): Effect.Effect<SubmitResult, LeaseLost | StoreFailed | JournalCorrupt | PrincipalRefused>
  }
  /** The numbered events of its tree after that position, as from `EventLog.read`. */
  readonly events: EventLog.EventLog["read"]
  /** Summarises the older part of the prompt now; not during a turn. `focus`: the user's most important topic. */
  readonly compact: (focus?: string) => Effect.Effect<Compaction.CompactionResult, TurnFailure>
  /** True if enough turns or tool calls happened since the last reflection. */
  readonly isWorthReflecting: Effect.Effect<boolean, JournalCorrupt | LeaseLost | StoreFailed>
  /**
   * Runs a reflection and returns when it has ended. A reflection is a session of the reflection agent that saves notes
   * about this session. Null: there is no such agent, no new activity or no budget. It does not run during a turn. An
   * interruption ends it at once.
   */
  readonly reflect: Effect.Effect<SessionResult.SessionResult | null, JournalCorrupt | LeaseLost | StoreFailed>
  /** Stores the mode, which is in effect already, so that the session keeps it without a further message. */
  readonly recordMode: (mode: string) => Effect.Effect<void, JournalCorrupt | LeaseLost | StoreFailed>
  /** Commands of its tree that continue after the calls that started them. */
  readonly commands: TreeCommands.TreeCommands
  /** Reports to the model, with its next step, which of its file changes the user has undone. */
  readonly recordUndo: (
    changes: UndoneChanges.UndoneChanges
  ) => Effect.Effect<void, JournalCorrupt | LeaseLost | StoreFailed>
  /** Adds the result of a user's call to the model's next step. */
  readonly recordCommand: (
    command: UserCommands.UserCommand
  ) => Effect.Effect<void, JournalCorrupt | LeaseLost | StoreFailed>
  /** Adds a text of another party to the model's next step, as labelled data, never as an instruction. */
  readonly recordForeign: (
    foreign: UserCommands.ForeignText
  ) => Effect.Effect<void, JournalCorrupt | LeaseLost | StoreFailed>
  /** Runs one tool as the session would, outside of any turn. `argumentsText` is JSON. */
  readonly call: (
    tool: string,
    argumentsText: string,
    /** The author of the arguments; default: a user. A program may have composed them from the session's texts. */
    by?: "person" | "program"
  ) => Effect.Effect<UserToolCall.RecordedCall, LeaseLost | StoreFailed | JournalCorrupt>
}

export interface OpenOptions {
  readonly agent: Agent
  /** Null: a new Main, which is stored with its first message. */
  readonly sessionId: string | null
  /** The agents of the sessions below it; absent: it can start none. */
  readonly childAgent?: Tree.ChildAgent
  /** The agent of reflections; absent: there are no reflections. */
  readonly reflection?: Reflection.ReflectionAgent
  /** Rules that outlive the tree; absent: there are none. */
  readonly savedRules?: SessionRules.SavedRules
  /**
   * True if the process ends: interrupted work is then stopped and left open, with its approvals and its children, for
   * the next process to continue.
   */
  readonly isLeaving?: () => boolean
  /**
   * True if this process opens the session again at once, with the same `agent.commands`: commands that continue after
   * their calls are then kept running. Default: never.
   */
  readonly keepsCommands?: () => boolean
  /** The maximum number of idle sessions of this store that the process keeps loaded; default 16. */
  readonly maxLoaded?: number
  /** The log of the tree's events, for readers that outlive the session. Default: a log that ends with the session. */
  readonly eventLog?: EventLog.EventLog
  /** The lease of the tree, which the caller acquired and releases. Default: one that ends with the session's scope. */
  readonly lease?: Lease
}

/** Takes a session over for this process until the scope closes. */
export const open = Effect.fnUntraced(function* (
  options: OpenOptions
): Effect.fn.Return<
  Session,
  TreeBusy | SessionNotFound | NotAMain | JournalCorrupt | LeaseLost | StoreFailed,
  Scope.Scope | SessionStore | BlobStore | Model | Channel
> {
  const store = yield* SessionStore
  const sessionId = options.sessionId === null ? yield* newSessionId : yield* findMain(store, options.sessionId)
  const context = yield* Effect.context<Scope.Scope | SessionStore | BlobStore | Model | Channel>()
  const scopes = yield* DescendantScopes.make
  const eventLog = options.eventLog ?? EventLog.make(sessionId)
  const lease = options.lease ?? (yield* leaseOf(store, sessionId))
  const opened = yield* Effect.acquireRelease(
    Effect.sync((): SessionCache.LoadedSession => {
      eventLog.begin(lease.epoch)
      const main = Effect.suspend(() =>
        Effect.provideContext(mainFrom({ ...options, eventLog }, lease, scopes.current), context)
      )
      const read = Effect.andThen(DescendantScopes.reopen(scopes), main)
      return {
        lease,
        store,
        maxLoaded: options.maxLoaded ?? SessionCache.defaultMaxLoaded,
        read,
        running: null,
        uses: 0
      }
    }),
    SessionCache.close
  )
  yield* Effect.addFinalizer((exit) => DescendantScopes.end(scopes, exit))
  const lost = Deferred.makeUnsafe<never, LeaseLost>()
  yield* store.watchLease(opened.lease, () => onLeaseLost(opened, { scopes, lost, agent: options.agent }))
  // An unreadable session is not opened.
  yield* SessionCache.useSession(opened, ({ turns }) => turns.channel.publish({ _tag: "Attached", sessionId }))
  yield* store.watchInbox(sessionId, () => onInboxGrown(opened, context))
  const { agent } = options
  yield* Effect.asVoid(Effect.acquireRelease(TreeCommands.watch(opened, agent), (forget) => forget))
  const { keepsCommands = () => false } = options
  yield* Effect.addFinalizer(() => (keepsCommands() ? Effect.void : TreeCommands.close(opened, agent)))
  return sessionOf(opened, { agent, reflection: options.reflection ?? null, eventLog, scopes, lost })
})

const leaseOf = (store: SessionStore["Service"], treeId: SessionData.SessionId) =>
  Effect.acquireRelease(store.acquire(treeId), (lease) => Effect.ignore(store.release(lease)))

/** Interrupts all work here because another process owns the tree; nothing more is recorded. */
const onLeaseLost = (opened: SessionCache.LoadedSession, { agent, scopes, lost }: LeaseContext): void => {
  const failure = new LeaseLost({ treeId: opened.lease.treeId })
  if (opened.running !== null) Tree.fail(opened.running.tree, failure)
  Effect.runFork(DescendantScopes.end(scopes, Exit.void))
  Effect.runFork(TreeCommands.close(opened, agent))
  Deferred.doneUnsafe(lost, Effect.fail(failure))
}

interface LeaseContext {
  readonly agent: Agent
  readonly scopes: DescendantScopes.DescendantScopes
  readonly lost: Deferred.Deferred<never, LeaseLost>
}

interface LogContext {
  readonly eventLog: EventLog.EventLog
}

/** Numbers the events of a channel before they are published. */
const withEventNumbers = (
  channel: Channel["Service"],
  { publish }: EventLog.EventLog,
  entriesOf: (sessionId: SessionData.SessionId) => number
): Channel["Service"] => ({
  ...channel,
  publish: (event) =>
    Effect.suspend(() => {
      const entries = event._tag === "Recorded" ? event.entry.seq + 1 : entriesOf(event.sessionId)
      return channel.publish(event, publish(event, entries))
    })
})

/** Builds the Main of a tree that this process owns, from its journal. */
const mainFrom = Effect.fnUntraced(function* (
  options: OpenOptions & LogContext,
  lease: Lease,
  descendants: DescendantScopes.DescendantScope
): Effect.fn.Return<
  SessionServices,
  JournalCorrupt | LeaseLost | StoreFailed,
  Scope.Scope | SessionStore | BlobStore | Model | Channel
> {
  const store = yield* SessionStore
  const publish = (entry: Entry.Entry) => channel.publish({ _tag: "Recorded", sessionId: entry.sessionId, entry })
  const journal: Journal.Journal["Service"] = yield* Journal.open({ store, lease, publish }, lease.treeId)
  const live: Tree.Tree["live"] = new Map()
  const channel = withEventNumbers(yield* Channel, options.eventLog, (sessionId) =>
    sessionId === lease.treeId ? journal.state.nextSeq : (live.get(sessionId)?.session.journal.state.nextSeq ?? 0)
  )
  yield* SessionRules.revoke(store, journal)
  const changes = Signal.make()
  const tree: Tree.Tree = {
    lease,
    store,
    blobs: yield* BlobStore,
    model: yield* Model,
    channel,
    rules: SessionRules.make({
      main: journal,
      saved: options.savedRules ?? null,
      notice: (message) => channel.publish({ _tag: "Notice", sessionId: lease.treeId, message })
    }),
    channelName: () => channel.name ?? journal.state.opened?.channel ?? null,
    childAgent: options.childAgent ?? null,
    scope: descendants.scope,
    live,
    writers: new Map(),
    hosts: new Set(),
    results: ResultCache.make(),
    changes,
    pending: PendingApprovals.make(changes, descendants.scope),
    turns: Semaphore.makeUnsafe(1),
    isTraced: yield* Trace.isOn,
    isLeaving: () => descendants.isClosed || (options.isLeaving?.() ?? false),
    cancelling: false,
    failure: null
  }
  return makeSession({
    tree,
    agent: options.agent,
    journal,
    kind: "Main",
    parent: null,
    spawning: SpawnService.make,
    budget: null,
    returnResult: null
  })
})

/** Wakes loops that wait for messages and decisions. Unloaded sessions check the inbox when they are used next. */
const onInboxGrown = (opened: SessionCache.LoadedSession, context: Context.Context<never>): void => {
  const { running } = opened
  if (running === null) return
  const { tree } = running
  rereadInboxes(running.turns)
  Effect.runForkWith(context)(
    Effect.forkIn(Effect.ignore(SessionCache.useIfLoaded(opened, ({ turns }) => ControlRows.apply(turns))), tree.scope)
  )
}

const sessionOf = (
  opened: SessionCache.LoadedSession,
  {
    agent,
    eventLog,
    scopes,
    lost,
    reflection
  }: LogContext & {
    readonly agent: Agent
    readonly scopes: DescendantScopes.DescendantScopes
    readonly reflection: Reflection.ReflectionAgent | null
    readonly lost: Deferred.Deferred<never, LeaseLost>
  }
): Session => {
  /** Uses the session until the lease is lost; checks the lease first, so that nothing begins after its loss. */
  const inLease = <A, E>(use: (session: SessionServices) => Effect.Effect<A, E>) =>
    Effect.suspend(() => {
      DescendantScopes.unloadFailed(opened, scopes)
      const used = SessionCache.useSession(opened, (session) =>
        Effect.andThen(session.journal.readDoubtful, use(session))
      )
      return Effect.raceFirst(Deferred.await(lost), used)
    })
  const sessionId = opened.lease.treeId
  // The overloads show that a message without a sender is never refused.
  const run = (input: UserInput, from: Sender = {}) =>
    inLease((running) =>
      Effect.flatMap(submit(running, { _tag: "SendMessage", sessionId, ...input }, from), ({ inserted }) =>
        Effect.map(continueSession(running), (result): RunResult => ({
          ...(result ?? Turn.stateBetweenTurns(running.turns)),
          inserted
        }))
      )
    )
  const steer = (text: string, media: ReadonlyArray<Message.Media> = [], from: Sender = {}) =>
    inLease((running) => submit(running, { _tag: "SteerSession", sessionId, text, media }, from))
  return {
    sessionId,
    // The journal does not contain the output of a background command.
    canUnload: () => SessionCache.isStored(opened) && (agent.workspace.commands?.list(sessionId) ?? []).length === 0,
    hasOpenTurn: inLease(({ turns }) => hasOpenTurn(turns)),
    run: run as Session["run"],
    resume: inLease(continueSession),
    steer: steer as Session["steer"],
    events: eventLog.read,
    compact: (focus = "") => inLease(({ turns }) => Compaction.compactNow(turns.caller, agent.redaction.redact(focus))),
    isWorthReflecting: inLease(({ turns }) => Effect.sync(() => Reflection.isWorthwhile(turns))),
    recordUndo: (changes) => inLease(({ journal }) => UndoneChanges.record(journal, changes, agent.redaction.redact)),
    recordForeign: (foreign) =>
      inLease(({ turns }) => UserCommands.recordForeign(turns.inbox, foreign, agent.redaction.redact)),
    recordCommand: (command) => inLease(({ journal }) => UserCommands.record(journal, command, agent.redaction.redact)),
    recordMode: (mode) => inLease(({ inbox }) => Inbox.submitMode(inbox, mode, agent.user ?? "user")),
    commands: TreeCommands.make(agent, sessionId),
    reflect: inLease((running) => Reflection.reflect(running, reflection)),
    call: (name, argumentsText, by) =>
      inLease((running) => UserToolCall.run(running.turns, { name, argumentsText, byProgram: by === "program" }))
  }
}

const hasOpenTurn = ({ inbox, journal }: Turn.Turns) =>
  Effect.map(
    Inbox.waitingMessages(inbox),
    (message) => message !== null || Loop.isOpen(journal) || SessionState.hasWorkingChildren(journal.state)
  )

/** Stores the message with its secrets redacted, and tells the sender which secrets were found. */
const submit = Effect.fnUntraced(function* (
  { agent, inbox, turns: { channel } }: SessionServices,
  input: Inbox.Message,
  from: Sender
) {
  const message = { ...input, text: agent.redaction.redact(input.text) }
  if (message.text !== input.text) {
    const names = Redaction.namesIn(message.text).join(", ")
    yield* channel.publish({
      _tag: "Notice",
      sessionId: input.sessionId,
      message: `hidden in your message before it was stored or sent: ${names}`
    })
  }
  const principal = from.principal === undefined ? (agent.user ?? "user") : yield* checkPrincipal(from.principal)
  if (inbox.opening !== null) yield* openJournal(inbox.opening)
  return yield* Inbox.submit(inbox, message, { principal, dedupeKey: yield* dedupeKeyOf(from, principal) })
})
