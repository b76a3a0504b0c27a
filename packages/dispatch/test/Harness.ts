/** A session's side of the dispatcher, in memory: ports that record their calls, and tools to call. */
import { Policy } from "@bough/policy"
import { type Approval, Canonical, type Event, Session } from "@bough/protocol"
import { Capability, type Snapshots, Tool, ToolContext } from "@bough/tool"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Semaphore from "effect/Semaphore"
import {
  Call,
  type CallHooks,
  type DispatchContext,
  Dispatcher,
  Gate,
  Ledger,
  Provenance,
  Redaction,
  type ResultCache
} from "../src/index.ts"

/** The calls of the ports, in order. */
export interface Records {
  readonly started: Array<Call.PreparedCall>
  readonly ended: Array<{
    readonly labels: ReadonlyArray<Session.Label>
    readonly safe: boolean
    readonly ended: Call.CallEnd
    readonly denied: Call.CallDenial | null
  }>
  readonly requests: Array<{ readonly call: Call.AssessedCall; readonly preview: Approval.Preview } & Gate.Why>
  readonly lapsed: Array<string>
  readonly spilled: Array<Uint8Array>
  readonly events: Array<Event.Event>
  /** Names of the events, in one sequence. */
  readonly order: Array<string>
}

export type Answer = "approve" | "park" | { readonly deny: string | null }

export interface World {
  readonly records: Records
  readonly caller: DispatchContext.DispatchContext
  readonly dispatch: (request: Call.RequestedCall) => Effect.Effect<Call.DispatchResult, Ledger.NotRecorded>
  /** The end of a call that must not park. */
  readonly end: (request: Call.RequestedCall) => Effect.Effect<Call.CallEnd>
}

export interface Setting {
  readonly tools: ReadonlyArray<Tool.Any>
  readonly context?: ToolContext.ToolContext
  readonly policy?: Policy.Policy
  readonly secrets?: ReadonlyArray<string>
  readonly permits?: number
  readonly provenance?: Provenance.Provenance
  /** One answer per request, the last one from then on; called when the request is made. */
  readonly answers?: ReadonlyArray<Answer | (() => Answer)>
  readonly workspaceWrites?: () => string
  readonly snapshots?: Snapshots.Snapshots
  readonly results?: ResultCache.ResultCache
  readonly hooks?: CallHooks.CallHooks
  readonly failing?: "started" | "secure" | "ended" | "spill"
}

export const world = (setting: Setting): World => {
  const records: Records = {
    started: [],
    ended: [],
    requests: [],
    lapsed: [],
    spilled: [],
    events: [],
    order: []
  }
  const ports = Context.make(Gate.Gate, gate(records, setting.answers ?? [])).pipe(
    Context.add(Ledger.Ledger, ledger(records, setting.failing))
  )
  const caller = callerOf(records, setting)
  const dispatch = (request: Call.RequestedCall) => Effect.provideContext(Dispatcher.dispatch(request, caller), ports)
  return {
    records,
    caller,
    dispatch,
    end: (request) =>
      dispatch(request).pipe(
        Effect.orDie,
        Effect.flatMap((dispatched) =>
          dispatched._tag === "Ended" ? Effect.succeed(dispatched) : Effect.die("parked")
        )
      )
  }
}

const callerOf = (records: Records, setting: Setting): DispatchContext.DispatchContext => ({
  registry: new Map(setting.tools.map((tool) => [tool.name, tool])),
  context: setting.context ?? ToolContext.empty("Main"),
  policy: setting.policy ?? Policy.defaults,
  redaction: Redaction.make(setting.secrets ?? []),
  provenance: setting.provenance ?? Provenance.own,
  invocation: {
    sessionId,
    sessionPath: [sessionId],
    agent: "tester",
    user: null,
    turn: 1,
    step: 2,
    workspaceRoot: "/work",
    config: {}
  },
  ...(setting.results === undefined ? {} : { results: setting.results }),
  ...(setting.hooks === undefined ? {} : { hooks: setting.hooks }),
  ...(setting.snapshots === undefined ? {} : { snapshots: setting.snapshots }),
  ...(setting.workspaceWrites === undefined ? {} : { workspaceWrites: setting.workspaceWrites }),
  permits: Semaphore.makeUnsafe(setting.permits ?? 8),
  observe: (event) =>
    Effect.sync(() => {
      records.events.push(event)
    })
})

export const sessionId = Session.SessionId.make("session-1")

const notRecorded = new Ledger.NotRecorded({ cause: "the disk is full" })

const ledger = (records: Records, failing: Setting["failing"]): Ledger.Ledger["Service"] => ({
  started: (call) =>
    failing === "started"
      ? Effect.fail(notRecorded)
      : Effect.sync(() => {
          records.order.push(`started ${call.attempt}`)
          records.started.push(call)
        }),
  secure: Effect.suspend(() => (failing === "secure" ? Effect.fail(notRecorded) : Effect.void)),
  ended: ({ labels, safe }, ended, denied) =>
    failing === "ended"
      ? Effect.fail(notRecorded)
      : Effect.sync(() => {
          records.order.push(`ended ${ended.outcome._tag}`)
          records.ended.push({ labels, safe, ended, denied })
        }),
  spill: (bytes) =>
    failing === "spill"
      ? Effect.fail(notRecorded)
      : Effect.sync(() => {
          records.spilled.push(bytes)
          return Canonical.digest(bytes)
        })
})

const gate = (records: Records, answers: NonNullable<Setting["answers"]>): Gate.Gate["Service"] => ({
  ask: (call, preview, why) =>
    Effect.sync((): Call.Verdict => {
      records.order.push("requested")
      records.requests.push({ call, preview, ...why })
      const next = answers[Math.min(records.requests.length, answers.length) - 1] ?? "park"
      return verdict(
        requestOf(call, { preview, reason: why.reason }, records.requests.length),
        typeof next === "function" ? next() : next
      )
    }),
  lapse: (_approved, reason) =>
    Effect.sync(() => {
      records.order.push("lapsed")
      records.lapsed.push(reason)
    })
})

const verdict = (request: Approval.Request, answer: Answer): Call.Verdict => {
  if (answer === "park") return { _tag: "Parked", request }
  return answer === "approve"
    ? { _tag: "Approved", request, decision: { _tag: "Approved", rule: null }, principal: "ana" }
    : { _tag: "Denied", request, decision: { _tag: "Denied", words: answer.deny }, principal: "ana" }
}

const requestOf = (
  call: Call.AssessedCall,
  { preview, reason }: { readonly preview: Approval.Preview; readonly reason: string },
  number: number
): Approval.Request =>
  Gate.requestOf(call, {
    approvalId: Session.ApprovalId.make(`approval-${number}`),
    sessionPath: [sessionId],
    preview,
    reason,
    askedAtMillis: 0,
    expiresAtMillis: 1_000
  })

/** A call as a model requests it. */
export const requestFor = (
  name: string,
  parameters: unknown = {},
  prior: Call.Prior | null = null
): Call.RequestedCall => ({
  toolCallId: Session.ToolCallId.make("call-1"),
  name,
  arguments: typeof parameters === "string" ? parameters : JSON.stringify(parameters),
  labels: [],
  prior
})

/** The record of a first attempt at a call with these arguments. */
export const prior = (value: unknown, rest: Partial<Call.Prior> = {}): Call.Prior => ({
  attempts: 1,
  preconditions: [],
  version: 1,
  tier: "Workspace",
  argumentsDigest: Canonical.digestOf(value),
  authority: { _tag: "Automatic" },
  ...rest
})

export const file = (digest: string | null): Approval.Precondition => ({ _tag: "FileDigest", path: "a.txt", digest })

/** Every method fails: for services that must exist but are not called. */
const unused: ProxyHandler<object> = {
  get: (_target, name) => () => Effect.die(`${String(name)} is not to be called`)
}

/** A service of which only `methods` may be called. */
export const fake = <Service extends object>(methods: Partial<Service>): Service =>
  new Proxy(methods, {
    get: (target, name, receiver) => Reflect.get(target, name, receiver) ?? Reflect.get(new Proxy({}, unused), name)
  }) as Service

/** A Main session that has these capabilities, confined. */
export const holding = (...capabilities: ReadonlyArray<Capability.Any>): ToolContext.ToolContext =>
  capabilities.reduce(
    (context, capability) => ToolContext.provide(context, capability, ToolContext.constant(fake({}))),
    ToolContext.empty("Main")
  )

/** The parameters and results of the test tools. */
export const Path = Schema.Struct({ path: Schema.String })
export const Done = Schema.Struct({ done: Schema.Boolean })

export const done = Tool.result({ output: { done: true }, display: "Done" })
