/**
 * A process that owns the tree: a real session with one grave tool over a store whose operations it may only do when it is
 * told to. Until somebody is asked, and once the call has ended, it goes on by itself.
 */
import type { Approval, Batch, Inbox } from "@bough/protocol"
import { Agent, BlobStore, Channel, Model, Session, SessionStore } from "../../src/index.ts"
import { Tool, ToolPack } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import * as Reply from "../../src/testing/Reply.ts"
import * as SampleAgent from "../../src/testing/SampleAgent.ts"
import * as Steady from "../tree/steady.ts"

export interface Ports {
  readonly store: SessionStore.SessionStore["Service"]
  readonly blobs: BlobStore.BlobStore["Service"]
  /** What the owner makes of the store; each operation of it waits by itself. */
  readonly wrap: (store: SessionStore.SessionStore["Service"]) => SessionStore.SessionStore["Service"]
}

export interface Held {
  readonly name: string
  readonly release: () => void
}

export interface Owner {
  readonly number: number
  /** Each operation that it was let do, and what came of it: what the process knows. */
  readonly log: Array<string>
  readonly held: Set<Held>
  /** Requests that a person in front of it has not answered. */
  readonly shown: Map<string, { readonly answer: (given: Channel.ChannelAnswer) => void }>
  /** Whether it reads only when it is told to; else as soon as it comes to it. */
  readonly waitsToRead: boolean
  /** How long its step waits for a person; null: longer than the request holds. */
  readonly graceMillis: number | null
  isHeld: boolean
  ended: boolean
}

export const make = (number: number, how: Pick<Owner, "waitsToRead" | "graceMillis">): Owner => ({
  number,
  waitsToRead: how.waitsToRead,
  graceMillis: how.graceMillis,
  log: [],
  held: new Set(),
  shown: new Map(),
  isHeld: number > 1,
  ended: false
})

export const deadlineMillis = 1000
export const graveTool = "launch"

const model = Steady.make({ go: [Reply.toolCall(graveTool), Reply.text("done")] })

export interface Watching {
  readonly asked: (owner: Owner, request: Approval.Request) => void
  readonly effect: () => void
}

/** The first owner begins the session, the next ones go on with it. */
export const work = (owner: Owner, ports: Ports, watching: Watching): Effect.Effect<void> =>
  Effect.gen(function* () {
    const [known] = yield* ports.store.list({ workspaceRoot: null, limit: 1 })
    const session = yield* Session.open({ agent: agentOf(owner, watching), sessionId: known?.sessionId ?? null })
    yield* known === undefined ? session.run({ text: "go", media: [] }) : session.resume
  }).pipe(
    Effect.scoped,
    Effect.provideService(SessionStore.SessionStore, ports.wrap(holding(owner, ports.store))),
    Effect.provideService(BlobStore.BlobStore, ports.blobs),
    Effect.provideService(Channel.Channel, channelOf(owner, watching)),
    Effect.provideService(Model.Model, model),
    Effect.exit,
    Effect.map((exit) => {
      owner.ended = true
      owner.log.push(Exit.isSuccess(exit) ? "ended" : "failed")
    })
  )

const channelOf = (owner: Owner, { asked }: Watching): Channel.Channel["Service"] => ({
  name: "test",
  ask: (request) =>
    Effect.callback<Channel.ChannelAnswer>((resume) => {
      asked(owner, request)
      const hide = () => owner.shown.delete(request.approvalId)
      const answer = (given: Channel.ChannelAnswer) => {
        hide()
        resume(Effect.succeed(given))
      }
      owner.shown.set(request.approvalId, { answer })
      return Effect.sync(hide)
    }),
  publish: () => Effect.void
})

/** Waits until it is told to. */
const hold = <A, E, R>(owner: Owner, name: string, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    if (!owner.isHeld) return effect
    return Effect.callback<A, E, R>((resume) => {
      const held: Held = {
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

const holding = (owner: Owner, store: SessionStore.SessionStore["Service"]): typeof store => {
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
  return {
    ...store,
    commit: (batch) => {
      const tags = new Set(batch.entries.map(({ body }) => body._tag))
      // The steps that go on without the call come as they come.
      if (tags.has("StepStarted") || tags.has("ModelReplied")) return store.commit(batch)
      return logged(nameOf(batch), store.commit(batch), () => {
        if (tags.has("ApprovalAsked")) owner.isHeld = true
        if (tags.has("CallEnded")) owner.isHeld = false
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
        : store.inbox(treeId)
  }
}

/** Kinds of entries; rows alone go by their own names. */
const nameOf = ({ entries, projections }: Batch.Batch): string => {
  if (entries.length === 0) return `commit rows ${projections.map(({ _tag }) => _tag).join(", ")}`
  const kinds = entries.map(({ body }) =>
    body._tag === "ApprovalDecided" ? `${body._tag} ${body.decision._tag}` : body._tag
  )
  return `commit ${kinds.join(", ")}`
}

const nameOfCommand = (command: Inbox.Command): string =>
  command._tag === "DecideApproval" ? command.decision._tag : command._tag

const agentOf = (owner: Owner, { effect }: Watching): Agent.Agent => {
  const pack = ToolPack.make(
    Tool.make(graveTool, {
      version: 1,
      description: "Grave: needs a person; twice is twice",
      tier: "Elevated",
      replay: "Unsafe",
      capabilities: [],
      parameters: Schema.Struct({}),
      output: Schema.Struct({}),
      execute: () =>
        hold(
          owner,
          "the effect",
          Effect.sync(() => {
            effect()
            owner.log.push("the effect")
            return Tool.result({ output: {}, display: "Launched" })
          })
        )
    })
  )
  return SampleAgent.make(
    { kind: "Main", pack },
    {
      coreTools: new Set([graveTool]),
      limits: {
        ...Agent.defaultLimits,
        approvalDeadlineMillis: deadlineMillis,
        approvalGraceMillis: owner.graceMillis ?? 2 * deadlineMillis
      }
    }
  )
}
