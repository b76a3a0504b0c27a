/** A child session has no more capabilities than its parent, even if its own agent was given more. */
import { SessionPack } from "@bough/pack-session"
import type { Session as SessionData } from "@bough/protocol"
import { Capability, Tool, ToolContext, ToolPack } from "@bough/tool"
import * as SampleCapability from "@bough/tool/testing/SampleCapability"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type Agent, Channel, Model, Session } from "../../src/index.ts"
import * as CastModel from "../../src/testing/CastModel.ts"
import * as Reply from "../../src/testing/Reply.ts"
import * as SampleAgent from "../../src/testing/SampleAgent.ts"
import * as World from "../session/world.ts"
import * as Grove from "./grove.ts"

const { text, toolCall, toolCalls } = Reply

const jot = Tool.make("jot", {
  version: 1,
  description: "Keep a line",
  tier: "Workspace",
  replay: "Unsafe",
  capabilities: [Capability.Scratchpad],
  parameters: Schema.Struct({}),
  output: Schema.Struct({}),
  execute: Effect.fnUntraced(function* () {
    const pad = yield* Capability.Scratchpad
    yield* pad.write(["kept"])
    return Tool.result({ output: {}, display: "Kept" })
  })
})

/** How the call of a Branch ends whose agent has a scratchpad, below a Main with or without one. */
const outcomeBelow = Effect.fnUntraced(function* (mainHas: boolean) {
  const kept: Array<string> = []
  const write = (items: ReadonlyArray<string>) =>
    Effect.sync(() => {
      kept.push(...items)
      return { items, updatedAtMillis: null }
    })
  const pad = ToolContext.constant({ read: write([]), write })
  const pack = ToolPack.merge(ToolPack.make(jot), SessionPack.all)
  const agentOf = (kind: SessionData.Kind, has: boolean): Agent.Agent => {
    const context = SampleCapability.context(kind)
    return World.agentOf(World.makeWorld(), {
      tools: SampleAgent.toolsOf({ kind, pack }),
      context: has ? ToolContext.provide(context, Capability.Scratchpad, pad) : context
    })
  }
  const { model } = yield* CastModel.make({
    go: [toolCalls([{ name: "spawn_branch", arguments: { task: "work" } }]), text("ok"), text("ok")],
    work: [toolCall("jot"), text("done")]
  })
  const session = yield* Session.open({
    agent: agentOf("Main", mainHas),
    sessionId: null,
    childAgent: (kind) => Effect.succeed(agentOf(kind, true))
  }).pipe(Effect.provideService(Channel.Channel, World.channelOf([], null)), Effect.provideService(Model.Model, model))
  yield* session.run(World.say("go"))
  const [{ childId }] = yield* Grove.bodies(session.sessionId, "ChildSpawned")
  const [{ outcome }] = yield* Grove.bodies(childId, "CallEnded")
  return { kept, outcome }
})

describe("the capabilities of a child", () => {
  it.effect("include one that its parent has too", () =>
    Grove.run(
      Effect.gen(function* () {
        const { kept, outcome } = yield* outcomeBelow(true)
        assert.deepStrictEqual([outcome._tag, kept], ["Succeeded", ["kept"]])
      })
    )
  )

  it.effect("exclude one that its parent lacks, before any code of the tool runs", () =>
    Grove.run(
      Effect.gen(function* () {
        const { kept, outcome } = yield* outcomeBelow(false)
        assert.match(JSON.stringify(outcome), /PermissionDenied.*this Branch session has no Scratchpad/)
        assert.deepStrictEqual(kept, [])
      })
    )
  )
})
