/**
 * A process that owns the tree: real sessions with one Elevated tool over a store whose operations wait for permission
 * of the test. It runs freely until all approvals are requested, and again once every such call has ended.
 */
import { SessionPack } from "@bough/pack-session"
import type { Approval, Batch, Inbox, Session as SessionData } from "@bough/protocol"
import { Capability, Tool, ToolContext, ToolPack } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import { Agent, BlobStore, Channel, Model, Session, SessionStore } from "../../src/index.ts"
import * as SampleAgent from "../../src/testing/SampleAgent.ts"
import { askers, type Family, elevatedTool, modelOf } from "./family.ts"

export interface Ports {
  readonly store: SessionStore.SessionStore["Service"]
  readonly blobs: BlobStore.BlobStore["Service"]
  /** The store as the owner sees it; each of its operations waits separately. */
  readonly wrap: (store: SessionStore.SessionStore["Service"]) => SessionStore.SessionStore["Service"]
  /** The Main of this process, where a store holds several; absent: the only one. */
  readonly main?: {
    readonly sessionId: SessionData.SessionId | null
    readonly task: string
    readonly model: Model.Model["Service"]
  }
}

export interface HeldOperation {
  readonly name: string
  readonly release: () => void
}

export interface ShownRequest {
  readonly request: Approval.Request
  readonly answer: (decision: Channel.ChannelAnswer) => void
}

/** The options of an owner. */
export interface Manner {
  readonly family: Family
  /** True if a read needs the test's permission; else it runs as soon as it is due. */
  readonly waitsToRead: boolean
  /** How long its step waits for a user; null: longer than the request is valid. */
  readonly graceMillis: number | null
}

export interface Owner extends Manner {
  readonly number: number
  /** Each permitted operation, and its result: the knowledge of the process. */
  readonly log: Array<string>
  readonly held: Set<HeldOperation>
  /** Requests that its attached user has not answered. */
  readonly shown: Map<string, ShownRequest>
  /** Called when it learns that another process owns the tree; null: it watches no lease. */
  lost: (() => void) | null
  asked: number
  isHeld: boolean
  /** The process is told to end: it leaves open work to the next one. */
  isLeaving: boolean
  ended: boolean
}

export const make = (number: number, { family, graceMillis, waitsToRead }: Manner): Owner => ({
  family,
  waitsToRead,
  graceMillis,
  number,
  log: [],
  held: new Set(),
  shown: new Map(),
  lost: null,
  asked: 0,
  isHeld: number > 1,
  isLeaving: false,
  ended: false
})

export const deadlineMillis = 1000
export const wrapUpMillis = 200

/** The task of a session; for the names of its operations. */
export type TaskOf = (sessionId: SessionData.SessionId) => string

export interface Watching {
  readonly asked: (owner: Owner, request: Approval.Request) => void
  readonly effect: (target: string) => void
  readonly taskOf: TaskOf
}

/** The first owner creates the session, the next ones continue it. */
export const work = (owner: Owner, ports: Ports, watching: Watching): Effect.Effect<void> =>
  Effect.gen(function* () {
    const [newest] = yield* ports.store.list({ workspaceRoot: null, limit: 1 })
    const known = ports.main === undefined ? (newest?.sessionId ?? null) : ports.main.sessionId
    const session = yield* Session.open({
      agent: agentOf(owner, watching, "Main"),
      childAgent: (kind) => Effect.succeed(agentOf(owner, watching, kind)),
      sessionId: known,
      isLeaving: () => owner.isLeaving
    })
    yield* known === null ? session.run({ text: ports.main?.task ?? "go", media: [] }) : session.resume
  }).pipe(
    Effect.scoped,
    Effect.provideService(SessionStore.SessionStore, ports.wrap(holding(owner, ports.store, watching))),
    Effect.provideService(BlobStore.BlobStore, ports.blobs),
    Effect.provideService(Channel.Channel, channelOf(owner, watching)),
    Effect.provideService(Model.Model, ports.main?.model ?? modelOf(owner.family)),
    // Runs after an interruption, too.
    Effect.onExit((exit) =>
      Effect.sync(() => {
        owner.ended = true
        owner.log.push(Exit.isSuccess(exit) ? "ended" : "failed")
      })
    ),
    Effect.ignoreCause
  )

const channelOf = (owner: Owner, { asked }: Watching): Channel.Channel["Service"] => ({
  name: "test",
  ask: (request) =>
    Effect.callback<Channel.ChannelAnswer>((resume) => {
      asked(owner, request)
      const hide = () => owner.shown.delete(request.approvalId)
      const answer = (decision: Channel.ChannelAnswer) => {
        hide()
        resume(Effect.succeed(decision))
      }
      owner.shown.set(request.approvalId, { request, answer })
      return Effect.sync(hide)
    }),
  publish: () => Effect.void
})

/** Waits for the test's permission. */
const hold = <A, E, R>(owner: Owner, name: string, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    if (!owner.isHeld) return effect
    return Effect.callback<A, E, R>((resume) => {
      const held: HeldOperation = {
        name,
        release: () => {
          owner.held.delete(held)
          resume(effect)
        }
      }
      owner.held.add(held)
      return Effect.sync(() => owner.held.delete(held))
    })
  })

const holding = (owner: Owner, store: Ports["store"], { taskOf }: Watching): Ports["store"] => {
  const logged = <A, E>(name: string, effect: Effect.Effect<A, E>, told: (value: A) => string) =>
    hold(
      owner,
      name,
      Effect.onExit(effect, (exit) =>
        Effect.sync(() => {
          const wasHeld = owner.isHeld
          const outcome = Exit.isSuccess(exit) ? told(exit.value) : "refused"
          if (wasHeld) owner.log.push(`${name}: ${outcome}`)
        })
      )
    )
  const all = askers[owner.family].length
  return {
    ...store,
    commit: (batch) => {
      const tags = new Set(batch.entries.map(({ body }) => body._tag))
      // Steps that continue without the call run freely; in a tree all operations that concern no call do.
      if (tags.has("StepStarted") || tags.has("ModelReplied")) return store.commit(batch)
      if (owner.family !== "Main" && !batch.entries.some(({ body }) => aboutCalls.has(body._tag))) {
        return store.commit(batch)
      }
      return logged(nameOf(owner, batch, taskOf), store.commit(batch), () => {
        if (tags.has("ApprovalAsked")) {
          owner.asked += 1
          if (owner.asked === all) owner.isHeld = true
        }
        if (batch.entries.some(({ body }) => body._tag === "CallEnded" && body.tool === elevatedTool)) {
          owner.asked -= 1
          if (owner.asked <= 0) owner.isHeld = false
        }
        return "done"
      })
    },
    submit: (submission) =>
      logged(`inbox ${nameOfCommand(submission.command)}`, store.submit(submission), ({ inserted }) =>
        inserted ? "stored" : "too late"
      ),
    inbox: (treeId) =>
      owner.waitsToRead
        ? logged("read inbox", store.inbox(treeId), (rows) => rows.map(({ command }) => nameOfCommand(command)).join())
        : store.inbox(treeId),
    watchLease: (lease, lost) => {
      owner.lost = lost
      return store.watchLease(lease, lost)
    }
  }
}

const aboutCalls: ReadonlySet<string> = new Set([
  "ApprovalAsked",
  "ApprovalDecided",
  "CallStarted",
  "CallDeferred",
  "CallEnded",
  "SessionEnded"
])

/** Kinds of entries, and their session if there are several; a write of inbox rows alone has the rows' names. */
const nameOf = ({ family }: Owner, { entries, projections }: Batch.Batch, taskOf: TaskOf): string => {
  if (entries.length === 0) return `commit rows ${projections.map(({ _tag }) => _tag).join(", ")}`
  const kinds = entries.map(({ body }) =>
    body._tag === "ApprovalDecided" ? `${body._tag} ${body.decision._tag}` : body._tag
  )
  const whose = family === "Main" ? "" : ` of ${taskOf(entries[0].sessionId)}`
  return `commit ${kinds.join(", ")}${whose}`
}

const nameOfCommand = (command: Inbox.Command): string =>
  command._tag === "DecideApproval" ? command.decision._tag : command._tag

/** The state that the Elevated tool changes: that of the owner that runs it. */
class World extends Capability.make("World", { floor: "Workspace", reach: "Confined" })<
  World,
  { readonly launch: (target: string) => Effect.Effect<void> }
>() {}

const launch = Tool.make(elevatedTool, {
  version: 1,
  description: "Needs an approval; a repeated call has its effect again",
  tier: "Elevated",
  replay: "Unsafe",
  capabilities: [World],
  parameters: Schema.Struct({ target: Schema.String }),
  output: Schema.Struct({}),
  execute: Effect.fnUntraced(function* ({ target }) {
    const world = yield* World
    yield* world.launch(target)
    return Tool.result({ output: {}, display: "Launched" })
  })
})

const pack = ToolPack.merge(ToolPack.make(launch), SessionPack.all)

const agentOf = (owner: Owner, { effect }: Watching, kind: SessionData.Kind): Agent.Agent => {
  const name = (target: string) => (owner.family === "Main" ? "the effect" : `the effect of ${target}`)
  const world: World["Service"] = {
    launch: (target) =>
      hold(
        owner,
        name(target),
        Effect.sync(() => {
          effect(target)
          owner.log.push(name(target))
        })
      )
  }
  return SampleAgent.make(
    { kind, pack },
    {
      context: ToolContext.provideAll(ToolContext.empty(kind), [Capability.provide(World, { service: world })]),
      limits: {
        ...Agent.defaultLimits,
        wrapUpMillis,
        approvalDeadlineMillis: deadlineMillis,
        approvalGraceMillis: owner.graceMillis ?? 2 * deadlineMillis
      }
    }
  )
}
