/** Work that starts as soon as the model names a tool, before its arguments are complete. */
import { Capability, Tool, ToolContext, ToolPack } from "@bough/tool"
import * as SampleCapability from "@bough/tool/testing/SampleCapability"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import type { Agent } from "../../src/index.ts"
import * as Reply from "../../src/testing/Reply.ts"
import * as SampleAgent from "../../src/testing/SampleAgent.ts"
import * as ScriptedModel from "../../src/testing/ScriptedModel.ts"
import * as World from "./world.ts"

/** Uses a capability, and records when it runs. */
const useOf = (log: Array<string>) =>
  Tool.make("use", {
    version: 1,
    description: "Use what is provided",
    tier: "Workspace",
    replay: "Safe",
    capabilities: [Capability.Environment],
    parameters: Schema.Struct({ name: Schema.String }),
    output: Schema.Struct({}),
    execute: ({ name }) =>
      Effect.sync(() => {
        log.push(`use ${name}`)
        return Tool.result({ output: {}, display: "Used" })
      })
  })

const agentWith = (log: Array<string>, prepare: Effect.Effect<void>): Agent.Agent => {
  const pack = ToolPack.make(useOf(log))
  const none = { get: () => Effect.succeed(null), set: () => Effect.succeed(null) }
  return World.agentOf(World.makeWorld(), {
    tools: SampleAgent.toolsOf({ kind: "Main", pack }),
    context: ToolContext.provide(SampleCapability.context("Main"), Capability.Environment, {
      ...ToolContext.constant(none),
      prepare
    })
  })
}

const withCommit = (agent: Agent.Agent, commit: Effect.Effect<string | null>): Agent.Agent => ({
  ...agent,
  workspace: { ...agent.workspace, commit }
})

/** The arguments come a minute after the name. */
const slowCall = (name: string): Reply.Reply =>
  Reply.toolCall("use", { name }).flatMap((piece): Reply.Reply =>
    piece._tag === "ToolCallArguments" ? [{ _tag: "Pause", millis: 60_000 }, piece] : [piece]
  )

const open = Effect.fnUntraced(function* (agent: Agent.Agent, replies: ReadonlyArray<Reply.Reply>) {
  const scripted = yield* ScriptedModel.make(replies)
  return yield* World.openSession({ agent, scripted, channel: World.channelOf([], null) })
})

describe("a call whose arguments are still streaming", () => {
  it.effect("has its capabilities prewarmed, each once a session", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const begun = Latch.makeUnsafe(false)
      const prepare = Effect.andThen(
        Effect.sync(() => log.push("prepare")),
        begun.open
      )
      const session = yield* open(agentWith(log, Effect.asVoid(prepare)), [
        slowCall("a"),
        Reply.toolCall("use", { name: "b" }),
        Reply.text("done")
      ])
      const running = yield* Effect.forkChild(session.run(World.say("go")))
      yield* begun.await
      assert.deepStrictEqual(log, ["prepare"])
      yield* TestClock.adjust("2 minutes")
      yield* Fiber.join(running)
      assert.deepStrictEqual(log, ["prepare", "use a", "use b"])
    }).pipe(Effect.scoped, Effect.provide(World.stores))
  )

  it.effect("has the patterns of secrets prewarmed", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const begun = Latch.makeUnsafe(false)
      const searched = new Set<string>()
      const redaction = {
        redact: (text: string) => text,
        holdsSecret: (text: string) => {
          searched.add(text)
          return false
        }
      }
      const session = yield* open({ ...agentWith(log, Effect.asVoid(begun.open)), redaction }, [
        slowCall("a"),
        Reply.text("done")
      ])
      const running = yield* Effect.forkChild(session.run(World.say("go")))
      yield* begun.await
      assert.isTrue(searched.has("Use what is provided"))
      yield* Fiber.interrupt(running)
      assert.deepStrictEqual(log, [])
    }).pipe(Effect.scoped, Effect.provide(World.stores))
  )

  it.effect("waits for no prewarming, and an unfinished one ends with the session", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const endless = Effect.onInterrupt(Effect.never, () => Effect.sync(() => log.push("stopped")))
      yield* Effect.scoped(
        Effect.gen(function* () {
          const session = yield* open(agentWith(log, endless), [
            Reply.toolCall("use", { name: "a" }),
            Reply.text("done")
          ])
          yield* session.run(World.say("go"))
          assert.deepStrictEqual(log, ["use a"])
        })
      )
      assert.deepStrictEqual(log, ["use a", "stopped"])
    }).pipe(Effect.provide(World.stores))
  )

  it.effect("has the commit read meanwhile, once, and waits for it", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const begun = Latch.makeUnsafe(false)
      const answered = Latch.makeUnsafe(false)
      const commit = Effect.gen(function* () {
        log.push("read")
        yield* begun.open
        yield* answered.await
        return "commit"
      })
      const session = yield* open(withCommit(agentWith(log, Effect.void), commit), [slowCall("a"), Reply.text("done")])
      const running = yield* Effect.forkChild(session.run(World.say("go")))
      yield* begun.await
      yield* TestClock.adjust("2 minutes")
      assert.deepStrictEqual(log, ["read"])
      yield* answered.open
      yield* Fiber.join(running)
      assert.deepStrictEqual(log, ["read", "use a"])
    }).pipe(Effect.scoped, Effect.provide(World.stores))
  )

  it.effect("is required: a reply in text, or with an unknown tool, prewarms nothing", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const prepare = Effect.asVoid(Effect.sync(() => log.push("prepare")))
      const commit = Effect.sync(() => {
        log.push("read")
        return null
      })
      const agent = withCommit(agentWith(log, prepare), commit)
      const session = yield* open(agent, [Reply.text("done"), Reply.toolCall("unheard_of"), Reply.text("done")])
      yield* session.run(World.say("hi"))
      assert.deepStrictEqual(log, [])
      yield* session.run(World.say("go"))
      assert.deepStrictEqual(log, ["read"])
    }).pipe(Effect.scoped, Effect.provide(World.stores))
  )
})
