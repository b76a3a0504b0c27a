/** Spans of a session: named, nested, with attributes of generative AI, and none without a tracer. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Tracer from "effect/Tracer"
import { vi } from "vitest"
import * as Reply from "../../src/testing/Reply.ts"
import * as ScriptedModel from "../../src/testing/ScriptedModel.ts"
import * as World from "./world.ts"

const secret = "a line that nobody else reads"

/** A turn of three steps: a call that writes, one that fails, and an answer. */
const turn = Effect.gen(function* () {
  const scripted = yield* ScriptedModel.make([
    Reply.toolCall("append", { line: secret }),
    Reply.toolCall("fail"),
    Reply.text(secret)
  ])
  const agent = World.agentOf(World.makeWorld())
  const session = yield* World.openSession({ agent, scripted, channel: World.channelOf([], null) })
  yield* session.run(World.say(secret))
  return session.sessionId
}).pipe(Effect.scoped, Effect.provide(World.stores))

/** The names from the outermost span to the span itself. */
const pathOf = (span: Tracer.AnySpan): ReadonlyArray<string> =>
  span._tag === "ExternalSpan" ? [] : [...(span.parent._tag === "Some" ? pathOf(span.parent.value) : []), span.name]

const recorder = () => {
  const spans: Array<Tracer.Span> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  return { spans, tracer }
}

describe("Trace", () => {
  it.effect("has a span for the run, its turn, each step, call, handler and commit, each inside its parent", () =>
    Effect.gen(function* () {
      const { spans, tracer } = recorder()
      const sessionId = yield* Effect.provideService(turn, Tracer.Tracer, tracer)
      const paths = new Set(spans.map((span) => pathOf(span).join(" > ")))
      const step = "Session.run > Turn.run"
      assert.includeMembers(
        [...paths],
        [
          "Session.run",
          "Session.run > Store.commit",
          step,
          `${step} > Step.ask`,
          `${step} > Step.ask > Store.commit`,
          `${step} > Dispatcher.dispatch`,
          `${step} > Dispatcher.dispatch > Store.commit`,
          `${step} > Dispatcher.dispatch > Tool.execute`
        ]
      )
      const named = (name: string) => spans.filter((span) => span.name === name)
      const attributes = (name: string) => named(name).map((span) => Object.fromEntries(span.attributes))
      const model = { "gen_ai.operation.name": "chat", "gen_ai.conversation.id": sessionId, "bough.turn": 1 }
      const reasons = (span: Readonly<Record<string, unknown>>) => span["gen_ai.response.finish_reasons"]
      assert.deepStrictEqual(attributes("Step.ask").map(reasons), [["tool_calls"], ["tool_calls"], ["stop"]])
      for (const [index, step] of attributes("Step.ask").entries()) {
        assert.deepInclude(step, { ...model, "bough.step": index + 1 })
        assert.containsAllKeys(step, [
          "gen_ai.provider.name",
          "gen_ai.request.model",
          "gen_ai.usage.input_tokens",
          "gen_ai.usage.output_tokens"
        ])
      }
      assert.deepStrictEqual(
        named("Tool.execute")
          .map(({ attributes: own }) => `${String(own.get("gen_ai.tool.name"))}: ${String(own.get("error.type"))}`)
          .toSorted((one, other) => one.localeCompare(other)),
        ["append: undefined", "fail: ExecutionError"]
      )
      assert.deepStrictEqual(
        named("Dispatcher.dispatch")
          .map(({ attributes: own }) => String(own.get("bough.call.outcome")))
          .toSorted((one, other) => one.localeCompare(other)),
        ["Failed", "Succeeded"]
      )
      assert.isTrue(spans.every(({ status }) => status._tag === "Ended"))
      assert.notInclude(JSON.stringify(spans.map((span) => [...span.attributes])), secret)
    })
  )

  it.effect("makes no span without a tracer", () =>
    Effect.gen(function* () {
      const made = vi.spyOn(Tracer.nativeTracer, "span")
      yield* Effect.ensuring(
        turn,
        Effect.sync(() => made.mockRestore())
      )
      assert.deepStrictEqual(made.mock.calls, [])
    })
  )
})
