/** A world that counts the effects of tools, and an agent whose tools act on it. */
import type { Approval, Event } from "@bough/protocol"
import { ToolError } from "@bough/protocol"
import { Tool, ToolPack } from "@bough/tool"
import { Inside } from "@bough/tool/testing/SampleCapability"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import {
  Agent,
  type BlobStore,
  BlobStoreMemory,
  Channel,
  type EventLog,
  Model,
  Session,
  type SessionStore,
  SessionStoreMemory,
  type SessionRules
} from "../../src/index.ts"
import * as SampleAgent from "../../src/testing/SampleAgent.ts"
import type { ModelWithScript } from "../../src/testing/ScriptedModel.ts"
import * as Durable from "../durability.ts"

export interface World {
  /** One line an effect, in order. */
  readonly log: Array<string>
  readonly values: Map<string, string>
  /** Reads wait here when it is closed. */
  readonly gate: Latch.Latch
  running: number
  maxRunning: number
}

export const makeWorld = (): World => ({
  log: [],
  values: new Map(),
  gate: Latch.makeUnsafe(true),
  running: 0,
  maxRunning: 0
})

const result = (output: { readonly value: string }, display: string) => Tool.result({ output, display })
const output = Schema.Struct({ value: Schema.String })
const facts = { version: 1, output, capabilities: [] } as const
/** Permits of tools that do more than read. */
const acting = { version: 1, output, capabilities: [Inside] } as const

export const tools = (world: World) => {
  const counted = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.acquireUseRelease(
      Effect.sync(() => {
        world.running += 1
        world.maxRunning = Math.max(world.maxRunning, world.running)
      }),
      () => effect,
      () =>
        Effect.sync(() => {
          world.running -= 1
        })
    )
  const look = Tool.make("look", {
    ...facts,
    description: "Look up a value",
    tier: "ReadOnly",
    replay: "Safe",
    parameters: Schema.Struct({ key: Schema.String }),
    execute: ({ key }) =>
      counted(
        Effect.as(
          Effect.andThen(world.gate.await, Effect.yieldNow),
          result({ value: world.values.get(key) ?? "" }, `Looked at ${key}`)
        )
      )
  })
  const append = Tool.make("append", {
    ...acting,
    description: "Append a line; a repeated call appends another",
    tier: "Workspace",
    replay: "Unsafe",
    parameters: Schema.Struct({ line: Schema.String }),
    execute: ({ line }) =>
      counted(
        Effect.map(Effect.andThen(world.gate.await, Effect.yieldNow), () => {
          world.log.push(`append ${line}`)
          return result({ value: line }, `Appended ${line}`)
        })
      )
  })
  const put = Tool.make("put", {
    ...acting,
    description: "Set a value",
    tier: "Workspace",
    replay: "Idempotent",
    parameters: Schema.Struct({ key: Schema.String, value: Schema.String }),
    preview: ({ key, value }) =>
      Effect.sync((): Approval.Preview => ({
        render: `${key} = ${value}`,
        preconditions: [{ _tag: "FileDigest", path: key, digest: world.values.get(key) ?? null }]
      })),
    findExisting: ({ key, value }) =>
      Effect.sync(() => (world.values.get(key) === value ? result({ value }, `Set ${key}`) : null)),
    execute: ({ key, value }) =>
      Effect.sync(() => {
        world.log.push(`put ${key}`)
        world.values.set(key, value)
        return result({ value }, `Set ${key}`)
      })
  })
  const launch = Tool.make("launch", {
    ...acting,
    description: "Grave: needs a person",
    tier: "Elevated",
    replay: "Unsafe",
    parameters: Schema.Struct({ target: Schema.String }),
    preview: ({ target }) =>
      Effect.sync((): Approval.Preview => ({
        render: `launch at ${target}`,
        preconditions: [{ _tag: "FileDigest", path: "aim", digest: world.values.get("aim") ?? null }]
      })),
    execute: ({ target }) =>
      Effect.sync(() => {
        world.log.push(`launch ${target}`)
        return result({ value: target }, `Launched ${target}`)
      })
  })
  const fail = Tool.make("fail", {
    ...facts,
    description: "Always fails",
    tier: "ReadOnly",
    replay: "Safe",
    parameters: Schema.Struct({}),
    execute: () => Effect.fail(new ToolError.ExecutionError({ message: "it does that" }))
  })
  const dwell = Tool.make("dwell", {
    ...facts,
    description: "Never ends",
    tier: "ReadOnly",
    replay: "Unsafe",
    parameters: Schema.Struct({ key: Schema.String }),
    execute: () => Effect.never
  })
  return ToolPack.make(look, append, put, launch, fail, dwell)
}

export type Launch = ReturnType<typeof tools>["tools"]["launch"]

export const agentOf = (world: World, changes: SampleAgent.SampleParts = {}): Agent.Agent =>
  SampleAgent.make({ kind: "Main", pack: tools(world) }, changes)

/** A channel that records its events, and answers by `answer`; null: no user is attached. */
export const channelOf = (
  events: Array<Event.Event>,
  answer: ((request: Approval.Request) => Effect.Effect<Channel.ChannelAnswer>) | null
): Channel.Channel["Service"] => ({
  name: "test",
  ask: answer,
  publish: (event) =>
    Effect.sync(() => {
      events.push(event)
    })
})

export const approved: Channel.ChannelAnswer = { decision: { _tag: "Approved", rule: null }, principal: "ada" }

export const approve = (): Effect.Effect<Channel.ChannelAnswer> => Effect.succeed(approved)

/**
 * Memory stores that outlive a session: a test opens several over the same. The durability of each commit is checked.
 */
export const stores = Layer.mergeAll(Layer.provide(Durable.hold, SessionStoreMemory.layer), BlobStoreMemory.layer)

export interface OpenOptions {
  readonly agent: Agent.Agent
  readonly scripted: ModelWithScript
  readonly channel: Channel.Channel["Service"]
  readonly sessionId?: string | null
  readonly eventLog?: EventLog.EventLog
  readonly isLeaving?: () => boolean
  readonly savedRules?: SessionRules.SavedRules
}

/** The stores and the agent of a session. */
export type Needs = SessionStore.SessionStore | BlobStore.BlobStore | Scope.Scope

/** Opens a session in the caller's scope. */
export const openSession = ({ scripted, ...options }: OpenOptions) => openWith({ ...options, model: scripted.model })

/** Opens a session with any model. */
export const openWith = (options: Omit<OpenOptions, "scripted"> & { readonly model: Model.Model["Service"] }) =>
  Session.open({
    agent: options.agent,
    sessionId: options.sessionId ?? null,
    ...(options.eventLog === undefined ? {} : { eventLog: options.eventLog }),
    ...(options.isLeaving === undefined ? {} : { isLeaving: options.isLeaving }),
    ...(options.savedRules === undefined ? {} : { savedRules: options.savedRules })
  }).pipe(Effect.provideService(Channel.Channel, options.channel), Effect.provideService(Model.Model, options.model))

export const say = (text: string): Session.UserInput => ({ text, media: [] })
