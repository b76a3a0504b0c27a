/**
 * A host of many sessions: it opens a session when there is work for it, starts turns for rows that arrive in any inbox
 * of the store, continues with decided approvals, and unloads idle sessions. adr/0039-a-host-of-many-sessions.md.
 */
import type { Redaction } from "@bough/dispatch"
import type { Approval, Session as SessionData } from "@bough/protocol"
import { Inbox } from "@bough/protocol"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FiberMap from "effect/FiberMap"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import type * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import { BlobStore } from "../ports/BlobStore.ts"
import { Channel, makeDetached, type DetachedOptions } from "../ports/Channel.ts"
import { Model } from "../ports/Model.ts"
import {
  type ApprovalClosed,
  type ApprovalNotFound,
  type LeaseLost,
  type SessionNotFound,
  SessionStore,
  type StoreFailed,
  type TreeBusy
} from "../ports/SessionStore.ts"
import type { PrincipalRefused, Sender } from "../session/Sender.ts"
import * as Session from "../session/Session.ts"
import { type Authorise, type Refusal } from "./HostCommands.ts"
import * as HostCommands from "./HostCommands.ts"
import { isTaggedAs } from "./HostErrors.ts"
import * as HostEvents from "./HostEvents.ts"
import { NotServed, type OpenFailure, type ReportedFailure, type SessionFailure } from "./HostFailures.ts"
import * as HostFailures from "./HostFailures.ts"
import * as HostLeases from "./HostLeases.ts"
import * as HostLogs from "./HostLogs.ts"
import * as HostSeats from "./HostSeats.ts"
import * as HostTraces from "./HostTraces.ts"
import * as HostWake from "./HostWake.ts"
import * as HostWork from "./HostWork.ts"

export { NotAuthorised, type Refusal } from "./HostCommands.ts"
export { NotServed, type OpenFailure, type ReportedFailure, type SessionFailure } from "./HostFailures.ts"

/** The options for opening a session; the channel is the host's. */
export interface ServedSession extends Omit<
  Session.OpenOptions,
  "sessionId" | "isLeaving" | "eventLog" | "lease" | "maxLoaded"
> {
  /** Adds work around the turns of the opened session, such as loading and saving its notes; default: none. */
  readonly wrap?: (session: Session.Session, isLeaving: () => boolean) => Session.Session
}

export interface HostOptions {
  /** Called each time a session is opened; the scope ends with the session. Null: another host serves the session. */
  readonly serve: (session: SessionData.Summary) => Effect.Effect<ServedSession | null, NotServed, Scope.Scope>
  /** The channel of every session here: requests are published as events, and decisions arrive in the inbox. */
  readonly channel: Omit<DetachedOptions, "publish">
  /**
   * Returns true if the user may send the command; called before each command reaches the inbox. Default: every user
   * may send every command.
   */
  readonly authorise?: Authorise
  /** Hides secrets in users' messages before they are stored; each session's agent also hides its own secrets. */
  readonly redaction?: Pick<Redaction.Redaction, "redact">
  /** The maximum number of sessions that are loaded at once, and therefore of concurrent turns; default 16. */
  readonly maxLoaded?: number
  /**
   * The maximum number of idle sessions that stay open, default 16. The others become dormant: this process keeps only
   * their lease, and the next message to such a session opens it again from its journal. A session with commands or
   * other state that its journal does not hold stays open.
   */
  readonly maxIdleOpen?: number
  /**
   * How long every idle session stays open, so that a busy session is not reopened for each message; default 10
   * seconds.
   */
  readonly restMillis?: number
  /** How long an idle session stays loaded; default one minute. */
  readonly idleMillis?: number
  /** The time between two searches of the store without a notification; default one second. */
  readonly lookMillis?: number
  /**
   * The retry schedule for sessions that failed here without a caller, for example because a model could not be
   * reached. The schedule receives each failure since the session's last success. A session with new input is run at
   * once. Default: sessions are not retried.
   */
  readonly retry?: Schedule.Schedule<unknown, SessionFailure>
  /** The number of newest events of a tree that are held for returning readers; default `EventLog.usualCapacity`. */
  readonly heldEvents?: number
}

type Decision = Extract<Approval.Decision, { readonly _tag: "Approved" | "Denied" }>

export class Host extends Context.Service<
  Host,
  {
    /** Creates a Main with the host's channel, as `Session.create` does. */
    readonly create: (
      options: Omit<Session.CreateOptions, "channel">
    ) => Effect.Effect<
      Session.CreationResult,
      PrincipalRefused | Session.KeyReused | TreeBusy | LeaseLost | StoreFailed
    >
    /** Sends a message; durable on return. A turn starts here, or in the process that owns the session. */
    readonly send: (
      sessionId: string,
      input: Session.UserInput,
      from?: Sender
    ) => Effect.Effect<Session.SubmitResult, Refusal | Session.NotAMain>
    /**
     * Sends a message and waits for the result: `Session.run`. The turn continues if the caller stops waiting.
     * Fails with TreeBusy if another process owns the session; then nothing was sent.
     */
    readonly run: (
      sessionId: string,
      input: Session.UserInput,
      from?: Sender
    ) => Effect.Effect<Session.RunResult, Refusal | OpenFailure | Session.TurnFailure>
    /** Sends a message that joins the running turn before its next step, in a session of any kind. */
    readonly steer: (
      sessionId: string,
      input: string | Session.UserInput,
      from?: Sender
    ) => Effect.Effect<Session.SubmitResult, Refusal>
    /**
     * Deletes a session's whole tree. Fails with TreeBusy if the tree is at work, here or in another process; cancel it
     * first.
     */
    readonly remove: (sessionId: string) => Effect.Effect<void, SessionNotFound | TreeBusy | StoreFailed>
    /** Stops the work of the session and of all its descendants. */
    readonly cancel: (sessionId: string, reason: string, from?: Sender) => Effect.Effect<Session.SubmitResult, Refusal>
    /** Changes the mode of the session's tree; it takes effect at once in the process that owns the session. */
    readonly changeMode: (
      sessionId: string,
      mode: string,
      from?: Sender
    ) => Effect.Effect<Session.SubmitResult, Refusal>
    /** Revokes a rule that was given in the tree. */
    readonly revoke: (sessionId: string, rule: string, from?: Sender) => Effect.Effect<Session.SubmitResult, Refusal>
    /** Decides a request; `inserted` is false if it was decided already. */
    readonly decide: (
      approvalId: string,
      decision: Decision,
      principal: string
    ) => Effect.Effect<Session.SubmitResult, Refusal | ApprovalNotFound | ApprovalClosed>
    readonly attach: HostEvents.HostEvents["attach"]
    readonly follow: HostEvents.HostEvents["follow"]
    /** The stream of failures from now on; attached readers receive them as `TurnFailed`. */
    readonly failures: Stream.Stream<ReportedFailure>
    /** How many sessions are loaded, dormant ones included. */
    readonly loaded: Effect.Effect<number>
    /** How many sessions are dormant. */
    readonly dormant: Effect.Effect<number>
  }
>()("@bough/runtime/host/Host") {}

type RequiredServices = SessionStore | BlobStore | Model

export const make = Effect.fnUntraced(function* (
  options: HostOptions
): Effect.fn.Return<Host["Service"], never, RequiredServices | Scope.Scope> {
  const store = yield* SessionStore
  // Removes the host's scope from the context, because each session has its own scope.
  const context = Context.make(SessionStore, store).pipe(
    Context.add(BlobStore, yield* BlobStore),
    Context.add(Model, yield* Model)
  )
  const channel = makeDetached(options.channel)
  const logs = HostLogs.make(options.heldEvents)
  const lookMillis = options.lookMillis ?? 1000
  const wake = HostWake.make(lookMillis)
  const failures = yield* HostFailures.make({ store, logs, schedule: options.retry ?? null })
  const traces = yield* HostTraces.make
  const { allow, message, redact, submit } = HostCommands.make({
    store,
    traces,
    authorise: options.authorise,
    redaction: options.redaction
  })

  const open = Effect.fnUntraced(function* (
    treeId: SessionData.SessionId,
    isLeaving: () => boolean
  ): Effect.fn.Return<Session.Session, OpenFailure, Scope.Scope> {
    const serving = yield* options.serve(yield* store.session(treeId))
    if (serving === null) {
      return yield* new NotServed({ sessionId: treeId, message: `this host does not serve session ${treeId}` })
    }
    const { wrap, ...opening } = serving
    const lease = yield* leases.take(treeId)
    // The seats alone decide which idle sessions stay open, and an open one stays loaded: a host of many busy sessions
    // would otherwise read each journal again for each message.
    const hostOptions = { sessionId: treeId, lease, isLeaving, eventLog: logs.of(treeId), maxLoaded: Infinity }
    const session = yield* Session.open({ ...opening, ...hostOptions }).pipe(
      Effect.provideService(Channel, channel),
      Effect.provideContext(context)
    )
    return wrap === undefined ? session : wrap(session, isLeaving)
  })

  const seats = HostSeats.make({
    open,
    unload: (treeId) => leases.release(treeId),
    maxLoaded: options.maxLoaded ?? 16,
    maxIdleOpen: options.maxIdleOpen ?? 16,
    restMillis: options.restMillis ?? 10_000,
    onIdle: wake.notify
  })
  const leases = HostLeases.make({ store, onLost: (treeId) => void Effect.runFork(seats.close(treeId)) })
  /** Uses a session; after its lease is lost the session does nothing more, and its next use finds the new owner. */
  const use: typeof seats.use = (treeId, body) =>
    Effect.tapError(seats.use(treeId, body), (error) =>
      isTaggedAs(error, "LeaseLost") ? seats.close(treeId) : Effect.void
    )
  // Finalizers run in reverse order: this one is registered first and so runs last, when callers have been interrupted.
  yield* Effect.addFinalizer(() => seats.closeAll)
  const workers = yield* FiberMap.make<SessionData.SessionId>()
  const running = yield* FiberSet.make()

  const work = HostWork.make({
    store,
    isBusy: (treeId) => seats.isInUse(treeId) || FiberMap.hasUnsafe(workers, treeId),
    resume: (treeId) =>
      Effect.flatMap(
        Effect.exit(
          traces.below(
            treeId,
            use(treeId, (session) => session.resume)
          )
        ),
        (exit) => failures.outcomeOf(treeId, exit)
      ),
    start: (treeId, attempt) => {
      const wakeTree = Effect.sync(() => wake.notify(treeId))
      return Effect.asVoid(FiberMap.run(workers, treeId, Effect.ensuring(attempt, wakeTree), { onlyIfMissing: true }))
    }
  })

  yield* store.watchInbox(null, wake.notify)
  yield* Effect.zip(wake.next, Clock.currentTimeMillis).pipe(
    Effect.flatMap(([trees, nowMillis]) =>
      trees === null ? work.look(nowMillis, lookMillis) : work.lookAt(trees, nowMillis, lookMillis)
    ),
    Effect.tapError(() => Effect.sync(() => wake.notify(null))),
    Effect.catch((error) => Effect.andThen(Effect.logWarning(error.message), Effect.sleep(lookMillis))),
    Effect.andThen(seats.closeIdle(options.idleMillis ?? 60_000)),
    Effect.andThen(seats.rest),
    Effect.andThen(Effect.sync(() => logs.forget(seats))),
    Effect.forever,
    Effect.forkScoped
  )
  // Registered last and so run first: work that is interrupted from now on stays open and is not stopped.
  yield* Effect.addFinalizer(() => seats.leave)

  const events = HostEvents.make({ store, logs, lookMillis, isLoaded: seats.isLoaded })

  return {
    create: (facts) => Effect.provideContext(Session.create({ ...facts, channel: options.channel.name }), context),
    send: (sessionId, input, from = {}) =>
      Effect.flatMap(message(sessionId, input), ({ command, session }) => submit(session, command, from)),
    run: Effect.fnUntraced(function* (sessionId, input, from = {}) {
      const { command, session } = yield* message(sessionId, input)
      const { principal, treeId } = yield* allow(session, command, from.principal)
      const sender = { ...from, principal }
      // Run in a fiber of the host, so that it outlives the waiting caller.
      const turn = use(treeId, (session) => session.run(input, sender))
      return yield* Fiber.join(yield* FiberSet.run(running, turn))
    }),
    steer: (sessionId, input, from = {}) =>
      Effect.flatMap(store.session(sessionId), (session) => {
        const { media, text } = typeof input === "string" ? { text: input, media: [] } : input
        const command = { _tag: "SteerSession", sessionId: session.sessionId, text: redact(text) } as const
        return submit(session, media.length === 0 ? command : { ...command, media }, from)
      }),
    cancel: (sessionId, reason, from = {}) =>
      Effect.flatMap(store.session(sessionId), (session) =>
        submit(session, { _tag: "CancelSession", sessionId: session.sessionId, reason }, from)
      ),
    changeMode: (sessionId, mode, from = {}) =>
      Effect.flatMap(store.session(sessionId), (session) =>
        submit(session, { _tag: "ChangeMode", sessionId: session.treeId, mode }, from)
      ),
    revoke: (sessionId, rule, from = {}) =>
      Effect.flatMap(store.session(sessionId), (session) => submit(session, { _tag: "RevokeRule", rule }, from)),
    decide: Effect.fnUntraced(function* (approvalId, decision, principal) {
      const { request } = yield* store.approval(approvalId)
      const submission = Inbox.toDecisionRow(request, { decision, principal })
      yield* allow(yield* store.session(submission.treeId), submission.command, principal)
      return yield* traces.submitLinked(submission.treeId, store.submit(submission))
    }),
    remove: Effect.fnUntraced(function* (sessionId) {
      const { treeId } = yield* store.session(sessionId)
      yield* seats.close(treeId)
      yield* store.remove(treeId)
    }),
    ...events,
    failures: failures.reported,
    loaded: Effect.sync(seats.loaded),
    dormant: Effect.sync(seats.dormant)
  }
})

/** Provides a host that lives as long as the layer. */
export const layer = (options: HostOptions): Layer.Layer<Host, never, RequiredServices> =>
  Layer.effect(Host, make(options))
