/** A host in memory whose sessions act with a few tools, for streams of turns. */
import type { Session as SessionData } from "@bough/protocol"
import { ToolError } from "@bough/protocol"
import { Agent, BlobStoreMemory, Host, Model, SessionStore, SessionStoreMemory } from "@bough/runtime"
import { type Reply, SampleAgent, ScriptedModel } from "@bough/runtime/testing"
import { Tool, ToolPack } from "@bough/tool"
import { Inside } from "@bough/tool/testing/SampleCapability"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { followTurn } from "../../src/compatibility/FollowTurn.ts"
import type * as TurnReader from "../../src/compatibility/TurnReader.ts"

const output = Schema.Struct({ value: Schema.String })

const look = Tool.make("look", {
  version: 1,
  output,
  capabilities: [],
  description: "Look up a value",
  tier: "ReadOnly",
  replay: "Safe",
  parameters: Schema.Struct({ key: Schema.String }),
  execute: ({ key }) => Effect.succeed(Tool.result({ output: { value: key }, display: `Looked at ${key}` }))
})

const launch = Tool.make("launch", {
  version: 1,
  output,
  capabilities: [Inside],
  description: "Needs a person",
  tier: "Elevated",
  replay: "Unsafe",
  parameters: Schema.Struct({ target: Schema.String }),
  preview: ({ target }) => Effect.succeed({ render: `launch at ${target}`, preconditions: [] }),
  execute: ({ target }) => Effect.succeed(Tool.result({ output: { value: target }, display: `Launched ${target}` }))
})

const fail = Tool.make("fail", {
  version: 1,
  output,
  capabilities: [],
  description: "Always fails",
  tier: "ReadOnly",
  replay: "Safe",
  parameters: Schema.Struct({}),
  execute: () => Effect.fail(new ToolError.ExecutionError({ message: "it does that" }))
})

export const stores = Layer.mergeAll(SessionStoreMemory.layer, BlobStoreMemory.layer)

export interface Hosted {
  readonly host: Host.Host["Service"]
  readonly store: SessionStore.SessionStore["Service"]
  readonly sessionId: SessionData.SessionId
  readonly follow: (start: TurnReader.Start) => ReturnType<typeof followTurn>
  /** Sends a message and returns where its turn starts. */
  readonly say: (text: string, key: string) => Effect.Effect<TurnReader.Start, unknown>
}

/** A session of a host in the caller's scope. */
export const make = Effect.fnUntraced(function* (
  replies: ReadonlyArray<Reply.Reply>,
  options: Partial<Host.HostOptions> = {}
) {
  const store = yield* SessionStore.SessionStore
  const { model } = yield* ScriptedModel.make(replies)
  const agent: Agent.Agent = SampleAgent.make({ kind: "Main", pack: ToolPack.make(look, launch, fail) }, {})
  const host = yield* Host.make({
    serve: ({ user, workspaceRoot }) =>
      Effect.succeed({ agent: { ...agent, user, workspace: { ...agent.workspace, root: workspaceRoot } } }),
    channel: { name: "web" },
    ...options
  }).pipe(Effect.provideService(Model.Model, model))
  const { sessionId } = yield* host.create({ name: "tester", user: "ada", workspaceRoot: "/nowhere" })
  const hosted: Hosted = {
    host,
    store,
    sessionId,
    follow: (start) => followTurn({ host, store, lookMillis: 60_000 }, sessionId, start),
    say: (text, key) =>
      Effect.as(host.send(sessionId, { text, media: [] }, { principal: "ada", key }), {
        _tag: "Message",
        messageId: `from:ada:${key}`
      } as const)
  }
  return hosted
})

export const run = <A, E>(
  body: Effect.Effect<
    A,
    E,
    SessionStore.SessionStore | import("@bough/runtime").BlobStore.BlobStore | import("effect/Scope").Scope
  >
) => Effect.scoped(body).pipe(Effect.provide(stores))

export const collect = <A, E>(stream: Stream.Stream<A, E>) => Stream.runCollect(stream)
