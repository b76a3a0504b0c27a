/** Requests of tools to the session's model: recorded, outside of the prompt, within the limits, and ended with the call. */
import { SessionKind, ToolPack, Capability, Tool } from "@bough/tool"
import * as SampleCapability from "@bough/tool/testing/SampleCapability"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { Agent, type Model, type Session, SessionState, SessionStore } from "../../src/index.ts"
import * as Reply from "../../src/testing/Reply.ts"
import * as SampleAgent from "../../src/testing/SampleAgent.ts"
import * as ScriptedModel from "../../src/testing/ScriptedModel.ts"
import * as Grove from "../tree/grove.ts"
import * as World from "./world.ts"

const parameters = Schema.Struct({
  texts: Schema.Array(Schema.String),
  maxTokens: Schema.optionalKey(Schema.Int),
  model: Schema.optionalKey(Schema.String)
})

/** Asks the model with each text at once. */
const consult = Tool.make("consult", {
  description: "Asks the model",
  version: 1,
  tier: "Workspace",
  replay: "Unsafe",
  capabilities: [Capability.Sampling],
  parameters,
  output: Schema.Struct({ answers: Schema.Array(Schema.String) }),
  execute: Effect.fnUntraced(function* ({ maxTokens = 100, texts, ...model }) {
    const { ask } = yield* Capability.Sampling
    const answers = yield* Effect.forEach(
      texts,
      (text) =>
        ask({ requester: "tool consult", system: "Be brief", messages: [{ role: "user", text }], maxTokens, ...model }),
      { concurrency: "unbounded" }
    )
    return Tool.result({
      output: { answers: answers.map((answer) => `${answer.model} ${answer.reason}: ${answer.text}`) },
      display: "Asked"
    })
  })
})

const open = Effect.fnUntraced(function* (
  replies: ReadonlyArray<Reply.Reply>,
  changes: SampleAgent.SampleParts = {},
  modelWith: (model: Model.Model["Service"]) => Model.Model["Service"] = (model) => model
) {
  const pack = ToolPack.make(consult)
  const scripted = yield* ScriptedModel.make(replies)
  const session = yield* World.openWith({
    agent: World.agentOf(World.makeWorld(), {
      tools: SampleAgent.toolsOf(SessionKind.Main.tools(pack) as SessionKind.KindTools),
      context: SampleCapability.context("Main"),
      ...changes
    }),
    model: modelWith(scripted.model),
    channel: World.channelOf([], null)
  })
  return { session, ...scripted }
})

const ask = (...texts: ReadonlyArray<string>) => Reply.toolCall("consult", { texts })

const outcomeOf = (session: Pick<Session.Session, "sessionId">) =>
  Effect.map(Grove.bodies(session.sessionId, "CallEnded"), ([ended]) => JSON.stringify(ended?.outcome))

const limited = (budget: Partial<Agent.Limits["treeBudget"]>, maxCostUsd: number | null = null) => ({
  limits: {
    ...Agent.defaultLimits,
    maxCostUsd,
    treeBudget: { ...Agent.defaultLimits.treeBudget, ...budget }
  }
})

const stateOf = Effect.fnUntraced(function* (session: Pick<Session.Session, "sessionId">) {
  const state = SessionState.empty()
  const store = yield* SessionStore.SessionStore
  for (const entry of yield* store.entries(session.sessionId, 0, 1000)) SessionState.append(state, entry)
  return state
})

describe("Sampling", () => {
  it.effect("sends the tool's messages alone, records request and answer, and keeps both out of the prompt", () =>
    Grove.run(
      Effect.gen(function* () {
        const { script, session } = yield* open([
          ask("what is the moon?"),
          Reply.text("a satellite", { inputTokens: 40, outputTokens: 7 }),
          Reply.text("done")
        ])
        yield* session.run(World.say("the conversation"))
        const [, sampled, last] = yield* script.prompts
        assert.deepStrictEqual(sampled, {
          system: "Be brief",
          messages: [{ _tag: "User", text: "what is the moon?", media: [] }],
          tools: [],
          maxOutputTokens: 100
        })
        assert.notInclude(JSON.stringify(last?.messages), "Be brief")
        const [started] = yield* Grove.bodies(session.sessionId, "SamplingStarted")
        const [ended] = yield* Grove.bodies(session.sessionId, "SamplingEnded")
        assert.deepInclude(started, {
          requester: "tool consult",
          model: "scripted/model",
          system: "Be brief",
          messages: [{ role: "user", text: "what is the moon?" }]
        })
        assert.deepInclude(ended, { text: "a satellite", failure: null })
        assert.include(yield* outcomeOf(session), "scripted/model stop: a satellite")
        const state = yield* stateOf(session)
        assert.deepInclude(state.usage, { inputTokens: 60, outputTokens: 17 })
        assert.strictEqual(state.steps, 3)
        assert.strictEqual(state.samplings.size, 0)
      })
    )
  )

  it.effect("is refused without a request once the limits leave too little", () =>
    Grove.run(
      Effect.gen(function* () {
        const { session } = yield* open([ask("long ".repeat(10_000))], limited({ inputTokens: 20_000 }))
        yield* session.run(World.say("go"))
        assert.include(yield* outcomeOf(session), "remaining budget of the session does not cover")
        assert.isEmpty(yield* Grove.bodies(session.sessionId, "SamplingStarted"))
      })
    )
  )

  it.effect("reserves the answers of requests at the same time, so that together they stay within the limits", () =>
    Grove.run(
      Effect.gen(function* () {
        const both = Latch.makeUnsafe(false)
        let sampled = 0
        const { session } = yield* open(
          [
            Reply.toolCall("consult", { texts: ["one", "two"], maxTokens: 600 }, { costUsd: 0.1 }),
            Reply.text("1", { costUsd: 0.1 }),
            Reply.text("2", { costUsd: 0.1 }),
            Reply.text("done")
          ],
          limited({ outputTokens: 1000 }, 10),
          (model) => ({
            ...model,
            inputPerMillionUsd: 1,
            outputPerMillionUsd: 1000,
            stream: (prompt) => {
              if (prompt.tools.length > 0) return model.stream(prompt)
              sampled += 1
              if (sampled === 2) both.openUnsafe()
              return Stream.unwrap(Effect.as(both.await, model.stream(prompt)))
            }
          })
        )
        yield* session.run(World.say("go"))
        const started = yield* Grove.bodies(session.sessionId, "SamplingStarted")
        const [first, second] = started.map(({ reserved }) => reserved)
        assert.strictEqual(first?.outputTokens, 600)
        assert.isAtMost(second?.outputTokens ?? 0, 400)
        assert.isAtLeast(second?.outputTokens ?? 0, 200)
        assert.approximately(first?.costUsd ?? 0, 0.6 + (first?.inputTokens ?? 0) / 1_000_000, 1e-9)
        assert.include(yield* outcomeOf(session), "scripted/model stop: 2")
      })
    )
  )

  it.effect("counts a model call of a step limit", () =>
    Grove.run(
      Effect.gen(function* () {
        const { session } = yield* open([ask("one"), Reply.text("1"), Reply.text("never")], limited({ steps: 2 }))
        yield* session.run(World.say("go"))
        assert.lengthOf(yield* Grove.bodies(session.sessionId, "SamplingEnded"), 1)
        assert.lengthOf(yield* Grove.bodies(session.sessionId, "StepStarted"), 1)
      })
    )
  )

  it.effect("records a reply that broke off, and fails with the model's reason", () =>
    Grove.run(
      Effect.gen(function* () {
        const { session } = yield* open([ask("one"), [{ _tag: "Text", text: "half an ans" }], Reply.text("done")])
        yield* session.run(World.say("go"))
        const [ended] = yield* Grove.bodies(session.sessionId, "SamplingEnded")
        assert.deepInclude(ended, { text: "", failure: "the model's answer was cut off", estimated: true })
        assert.isAbove(ended?.usage.inputTokens ?? 0, 0)
        assert.include(yield* outcomeOf(session), "the model's answer was cut off")
      })
    )
  )

  it.live("ends with its call, and is recorded before it", () =>
    Grove.run(
      Effect.gen(function* () {
        const { script, session } = yield* open([ask("one"), [{ _tag: "Text", text: "ha" }, { _tag: "Hang" }]])
        const running = yield* Effect.forkChild(session.run(World.say("go")))
        while ((yield* script.prompts).length < 2) yield* Effect.sleep(1)
        yield* Fiber.interrupt(running)
        const store = yield* SessionStore.SessionStore
        const tags = (yield* store.entries(session.sessionId, 0, 100)).map(({ body }) => body._tag)
        assert.isBelow(tags.indexOf("SamplingStarted"), tags.indexOf("SamplingEnded"))
        assert.isBelow(tags.indexOf("SamplingEnded"), tags.indexOf("CallEnded"))
        const [ended] = yield* Grove.bodies(session.sessionId, "SamplingEnded")
        assert.strictEqual(ended?.failure, "interrupted")
      })
    )
  )

  it.effect("counts the prompt of a request whose process ended first", () =>
    Grove.run(
      Effect.gen(function* () {
        const { session } = yield* open([ask("one"), Reply.text("1"), Reply.text("done")])
        yield* session.run(World.say("go"))
        const store = yield* SessionStore.SessionStore
        const state = SessionState.empty()
        for (const entry of yield* store.entries(session.sessionId, 0, 100)) {
          if (entry.body._tag === "SamplingEnded") continue
          if (entry.body._tag === "CallEnded") {
            // Until then the whole reservation counts.
            const most = [...state.samplings.values()][0]?.reserved
            assert.strictEqual(SessionState.totalSpent(state).outputTokens, 5 + (most?.outputTokens ?? 0))
          }
          SessionState.append(state, entry)
        }
        const [started] = yield* Grove.bodies(session.sessionId, "SamplingStarted")
        assert.strictEqual(state.samplings.size, 0)
        assert.strictEqual(state.usage.inputTokens, 20 + (started?.reserved.inputTokens ?? 0))
      })
    )
  )

  it.effect("uses a model that the request names if the host has it", () =>
    Grove.run(
      Effect.gen(function* () {
        const other = yield* ScriptedModel.make([Reply.text("from elsewhere")], { name: "other/small" })
        const named = Reply.toolCall("consult", { texts: ["one"], model: "other/small" })
        const { session } = yield* open([named, Reply.text("done")], {
          modelNamed: () => Effect.succeed(other.model)
        })
        yield* session.run(World.say("go"))
        assert.include(yield* outcomeOf(session), "other/small stop: from elsewhere")
        const without = yield* open([named, Reply.text("done")])
        yield* without.session.run(World.say("go"))
        assert.include(yield* outcomeOf(without.session), "the model other/small is not available here")
      })
    )
  )
})
