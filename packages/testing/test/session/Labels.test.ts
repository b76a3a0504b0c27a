/** What a session learns through a labelled capability marks its entries from then on. */
import { assert, describe, it } from "@effect/vitest"
import type { Entry } from "@bough/protocol"
import { type Agent, SessionStore } from "@bough/runtime"
import { Capability, type NetworkRead, Tool, ToolContext, ToolPack, type WorkspaceRead } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Reply from "../../src/Reply.ts"
import * as ScriptedModel from "../../src/ScriptedModel.ts"
import * as World from "./world.ts"

const facts = {
  version: 1,
  description: "Look outside",
  tier: "ReadOnly",
  replay: "Safe",
  parameters: Schema.Struct({}),
  output: Schema.Struct({ text: Schema.String })
} as const

const seen = Effect.succeed(Tool.result({ output: { text: "seen" }, display: "Seen" }))

const page = Tool.make("look_at_page", { ...facts, capabilities: [Capability.NetworkRead], execute: () => seen })
const file = Tool.make("look_at_file", { ...facts, capabilities: [Capability.WorkspaceRead], execute: () => seen })

/** Services that no handler of these tools calls. */
const context = ToolContext.provide(
  ToolContext.provide(
    ToolContext.empty("Main"),
    Capability.NetworkRead,
    ToolContext.constant({} as NetworkRead.NetworkRead["Service"])
  ),
  Capability.WorkspaceRead,
  ToolContext.constant({} as WorkspaceRead.WorkspaceRead["Service"])
)

const withTools = (world: World.World): Partial<Agent.Agent> => {
  const pack = ToolPack.merge(World.tools(world), ToolPack.make(page, file))
  return {
    tools: { kind: "Main", pack },
    registry: new Map(Object.values<Tool.Any>(pack.tools).map((tool) => [tool.name, tool])),
    coreTools: new Set(Object.keys(pack.tools)),
    context
  }
}

/** The entries of one turn. */
const play = (...steps: ReadonlyArray<ScriptedModel.Step | Reply.Reply>) =>
  Effect.gen(function* () {
    const world = World.makeWorld()
    const scripted = yield* ScriptedModel.make(steps)
    const agent = World.agentOf(world, withTools(world))
    const session = yield* World.openSession({ agent, scripted, channel: World.channelOf([], null) })
    yield* session.run(World.say("go"))
    const store = yield* SessionStore.SessionStore
    return yield* store.entries(session.sessionId, 0, 1000)
  }).pipe(Effect.scoped, Effect.provide(World.stores))

const endOf = (entries: ReadonlyArray<Entry.Entry>, tool: string): Entry.Entry => {
  const found = entries.find(({ body }) => body._tag === "CallEnded" && body.tool === tool)
  if (found === undefined) return assert.fail(`${tool} has not ended`)
  return found
}

describe("labels", () => {
  it.effect("text from the network is untrusted in the journal, and so is all that follows", () =>
    Effect.gen(function* () {
      const entries = yield* play(
        Reply.toolCall("look", { key: "a" }),
        Reply.toolCall("look_at_page"),
        Reply.text("ok")
      )
      const { seq } = endOf(entries, "look_at_page")
      assert.deepStrictEqual(endOf(entries, "look_at_page").labels, ["untrusted"])
      for (const entry of entries) assert.deepStrictEqual(entry.labels, entry.seq < seq ? [] : ["untrusted"])
      assert.isAbove(entries.length - 1, seq)
    })
  )

  it.effect("what two capabilities brought adds up", () =>
    Effect.gen(function* () {
      const entries = yield* play(Reply.toolCall("look_at_file"), Reply.toolCall("look_at_page"), Reply.text("ok"))
      assert.deepStrictEqual(endOf(entries, "look_at_file").labels, ["private"])
      assert.deepStrictEqual(entries.at(-1)?.labels.toSorted(), ["private", "untrusted"])
    })
  )
})
