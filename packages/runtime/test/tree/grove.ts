/** A tree in memory: every kind of session has the tools of `world`, a Worker those that only read. */
import { SessionPack } from "@bough/pack-session"
import type { Entry, Event, Session as SessionData } from "@bough/protocol"
import { SessionKind, ToolPack } from "@bough/tool"
import * as SampleCapability from "@bough/tool/testing/SampleCapability"
import * as Effect from "effect/Effect"
import {
  type Agent,
  type Channel,
  type SessionRules,
  Model,
  Channel as ChannelPort,
  Session,
  SessionStore,
  type Tree,
  TreeEntries
} from "../../src/index.ts"
import * as CastModel from "../../src/testing/CastModel.ts"
import * as World from "../session/world.ts"

export interface Options {
  readonly cast: CastModel.ScriptsByRole
  readonly world?: World.World
  readonly limits?: Partial<Agent.Limits>
  readonly sessionId?: string
  /** Null: no user is attached. */
  readonly ask?: Channel.Channel["Service"]["ask"]
  readonly priced?: boolean
  /** The Main owns no channel. */
  readonly withoutChannel?: boolean
  /** The audience of messages; without it no message can be sent. */
  readonly readers?: "owner" | "others"
  readonly savedRules?: SessionRules.SavedRules
  /** The rules of every session; default: only those of the tiers. */
  readonly policy?: Agent.Agent["policy"]
  /** The environment text of every session; default: none. */
  readonly environment?: Agent.Agent["prompt"]["environment"]
  /** The background commands of every session; default: no command continues after its call. */
  readonly commands?: Agent.Agent["workspace"]["commands"]
}

/** The agents of a tree whose tools act on the world. */
export const agents = (
  world: World.World,
  {
    commands,
    environment,
    limits = {},
    policy
  }: Pick<Options, "commands" | "environment" | "policy"> & { readonly limits?: Partial<Agent.Limits> }
) => {
  const tools = World.tools(world)
  const all = ToolPack.merge(tools, SessionPack.all)
  const { dwell, fail, look } = tools.tools
  const packOf = { Main: all, Branch: all, Worker: ToolPack.make(look, fail, dwell) }
  return (kind: SessionData.Kind): Agent.Agent => {
    const base = World.agentOf(world, policy === undefined ? {} : { policy })
    const kindTools: SessionKind.KindTools = { kind, pack: packOf[kind] }
    return {
      ...base,
      workspace: { ...base.workspace, ...(commands === undefined ? {} : { commands }) },
      prompt: { ...base.prompt, ...(environment === undefined ? {} : { environment }) },
      tools: { ...kindTools, registry: new Map(Object.entries(all.tools)), core: new Set(Object.keys(all.tools)) },
      context: SampleCapability.context(kind),
      limits: { ...base.limits, ...limits }
    }
  }
}

export const open = Effect.fnUntraced(function* (options: Options) {
  const world = options.world ?? World.makeWorld()
  const cast = yield* CastModel.make(options.cast, { priced: options.priced ?? false })
  return { ...(yield* openWith({ ...options, world, model: cast.model })), cast }
})

/** Opens a tree with any model. */
export const openWith = Effect.fnUntraced(function* (
  options: Omit<Options, "cast" | "priced" | "world"> & {
    readonly world: World.World
    readonly model: Model.Model["Service"]
  }
) {
  const { world } = options
  const events: Array<Event.Event> = []
  const agentOf = agents(world, options)
  const childAgent: Tree.ChildAgent = (kind) => Effect.succeed(agentOf(kind))
  const channel = {
    ...World.channelOf(events, options.ask ?? null),
    ...(options.readers === undefined ? {} : { readers: options.readers })
  }
  const session = yield* Session.open({
    agent: agentOf("Main"),
    sessionId: options.sessionId ?? null,
    childAgent,
    ...(options.savedRules === undefined ? {} : { savedRules: options.savedRules })
  }).pipe(
    Effect.provideService(ChannelPort.Channel, options.withoutChannel === true ? { ...channel, name: null } : channel),
    Effect.provideService(Model.Model, options.model)
  )
  return { session, world, events }
})

/** The entries of a session and its descendants, by session; each after its parent. */
export const tree = Effect.fnUntraced(function* (
  store: SessionStore.SessionStore["Service"],
  sessionId: SessionData.SessionId
) {
  const entries = new Map<SessionData.SessionId, Array<Entry.Entry>>()
  yield* TreeEntries.forEach(store, sessionId, (entry) =>
    Effect.sync(() => {
      const theirs = entries.get(entry.sessionId)
      if (theirs === undefined) entries.set(entry.sessionId, [entry])
      else theirs.push(entry)
    })
  )
  return entries
})

/** Bodies of one kind, of one session, oldest first. */
export const bodies = Effect.fnUntraced(function* <Tag extends Entry.Body["_tag"]>(
  sessionId: SessionData.SessionId,
  tag: Tag
) {
  const store = yield* SessionStore.SessionStore
  const entries = yield* store.entries(sessionId, 0, 10_000)
  return entries.flatMap(({ body }) => (isOf(body, tag) ? [body] : []))
})

const isOf = <Tag extends Entry.Body["_tag"]>(body: Entry.Body, tag: Tag): body is Entry.BodyOf<Tag> =>
  body._tag === tag

export const run = <A, E>(body: Effect.Effect<A, E, World.Needs>) =>
  Effect.scoped(body).pipe(Effect.provide(World.stores))
