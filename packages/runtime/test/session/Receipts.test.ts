/** The workspace's commit and the arguments in receipts, and the reads for them. */
import { Canonical, type Receipt } from "@bough/protocol"
import { Tool, ToolPack } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SessionStore } from "../../src/index.ts"
import * as Reply from "../../src/testing/Reply.ts"
import * as SampleAgent from "../../src/testing/SampleAgent.ts"
import * as ScriptedModel from "../../src/testing/ScriptedModel.ts"
import * as World from "./world.ts"

const page = Tool.make("page", {
  version: 1,
  description: "Look at a page",
  tier: "ReadOnly",
  replay: "Safe",
  capabilities: [],
  parameters: Schema.Struct({
    key: Schema.String,
    at: Schema.Natural.pipe(Schema.withDecodingDefaultKey(Effect.succeed(1)))
  }),
  output: Schema.Struct({}),
  execute: () => Effect.succeed(Tool.result({ output: {}, display: "Seen" }))
})

const withPage = (world: World.World): SampleAgent.SampleParts => {
  const pack = ToolPack.merge(World.tools(world), ToolPack.make(page))
  return {
    tools: SampleAgent.toolsOf({ kind: "Main", pack })
  }
}

describe("receipts", () => {
  it.effect("name the commit, which is read once a turn and again after a call that may have moved it", () =>
    Effect.gen(function* () {
      const world = World.makeWorld()
      let reads = 0
      const scripted = yield* ScriptedModel.make([
        Reply.toolCalls([
          { name: "look", arguments: { key: "a" } },
          { name: "look", arguments: { key: "b" } }
        ]),
        Reply.toolCalls([{ name: "append", arguments: { line: "x" } }]),
        Reply.toolCalls([{ name: "launch", arguments: { target: "y" } }]),
        Reply.toolCalls([{ name: "look", arguments: { key: "c" } }]),
        Reply.text("done"),
        Reply.toolCalls([{ name: "look", arguments: { key: "d" } }]),
        Reply.text("done")
      ])
      const agent = World.agentOf(world, { workspace: { commit: Effect.sync(() => `commit ${++reads}`) } })
      const session = yield* World.openSession({ agent, scripted, channel: World.channelOf([], World.approve) })
      yield* session.run(World.say("go"))
      yield* session.run(World.say("on"))
      yield* session.call("look", '{"key":"e"}')
      const receipts = yield* receiptsOf(session.sessionId)
      assert.deepStrictEqual(
        receipts.map(({ commit, tool }) => [tool, commit]),
        [
          ["look", "commit 1"],
          ["look", "commit 1"],
          ["append", "commit 1"],
          ["launch", "commit 1"],
          ["look", "commit 2"],
          ["look", "commit 3"],
          ["look", "commit 3"]
        ]
      )
    }).pipe(Effect.scoped, Effect.provide(World.stores))
  )

  it.effect("name none if there is none, or the app does not read it", () =>
    Effect.gen(function* () {
      for (const workspace of [{}, { commit: Effect.succeed(null) }]) {
        const world = World.makeWorld()
        const scripted = yield* ScriptedModel.make([
          Reply.toolCalls([{ name: "look", arguments: { key: "a" } }]),
          Reply.text("done")
        ])
        const agent = World.agentOf(world, { workspace })
        const session = yield* World.openSession({ agent, scripted, channel: World.channelOf([], null) })
        yield* session.run(World.say("go"))
        const [receipt] = yield* receiptsOf(session.sessionId)
        assert.notProperty(receipt, "commit")
      }
    }).pipe(Effect.scoped, Effect.provide(World.stores))
  )

  it.effect("contain the arguments if no reply has them, so that the digest can be recomputed", () =>
    Effect.gen(function* () {
      const world = World.makeWorld()
      const scripted = yield* ScriptedModel.make([
        Reply.toolCalls([
          { name: "page", arguments: { at: 3, key: "written out" } },
          { name: "page", arguments: { key: "in another order", at: 4 } },
          { name: "page", arguments: { key: "default" } }
        ]),
        Reply.text("done")
      ])
      const agent = World.agentOf(world, withPage(world))
      const session = yield* World.openSession({ agent, scripted, channel: World.channelOf([], World.approve) })
      yield* session.run(World.say("go"))
      yield* session.call("page", '{"at":2,"key":"by hand"}')
      yield* session.call("append", '{"line":"by hand, with an intent"}')
      const receipts = yield* receiptsOf(session.sessionId)
      assert.deepStrictEqual(
        receipts.map((receipt) => receipt.arguments ?? null),
        [null, null, '{"at":1,"key":"default"}', '{"at":2,"key":"by hand"}', '{"line":"by hand, with an intent"}']
      )
      assert.deepStrictEqual(
        receipts.map(({ argumentsDigest }) => argumentsDigest),
        [
          '{"at":3,"key":"written out"}',
          '{"at":4,"key":"in another order"}',
          ...receipts.flatMap((receipt) => receipt.arguments ?? [])
        ].map((text) => Canonical.digest(text))
      )
    }).pipe(Effect.scoped, Effect.provide(World.stores))
  )
})

const receiptsOf = Effect.fnUntraced(function* (sessionId: string) {
  const store = yield* SessionStore.SessionStore
  const { sessionId: id } = yield* store.session(sessionId)
  const entries = yield* store.entries(id, 0, 1000)
  return entries.flatMap(({ body }): ReadonlyArray<Receipt.Receipt> =>
    body._tag === "CallEnded" && body.receipt !== null ? [body.receipt] : []
  )
})
