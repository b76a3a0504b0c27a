/** Tests of the real loop over every provider, each in its own dialect from a scripted server on loopback. */
import { type Tool, ToolSchema } from "@bough/tool"
import { ToolFormat } from "@bough/tool-formats"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { isThorough, thorough, thoroughOnly } from "../../../test/thorough.ts"
import * as Speakers from "./wire/Speakers.ts"
import * as Wire from "./wire/Wire.ts"
import * as Workshop from "./wire/Workshop.ts"

const { call, says, text } = Wire

const ask = { text: "go", media: [] }
/** Steps of the same kind, one after the other. */
const steps = isThorough ? 20 : 6
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

const world = Effect.fnUntraced(function* (
  speaker: Speakers.Speaker,
  replies: ReadonlyArray<Wire.Answerable>,
  together = 1
) {
  const workshop = yield* Workshop.make(together)
  const { bodies, model, server } = yield* Wire.connect(speaker.modelAt, Wire.inTurn(speaker.dialect, replies))
  const session = yield* Workshop.open(workshop, model)
  return { workshop, session, server, bodies }
})

const live = (
  name: string,
  body: () => Effect.Effect<void, unknown, Effect.Services<ReturnType<typeof world>>>,
  options = {}
) => it.live(name, () => Effect.scoped(body()).pipe(Effect.provide(Workshop.layer)), options)

describe.each(Speakers.all)("The loop over the %s", (_, speaker) => {
  const { dialect } = speaker

  live(
    `does ${steps} file reads, one a step, and each next request holds what was read`,
    () =>
      Effect.gen(function* () {
        const reads = numbers(steps).map((n) => says(call(`c${n}`, "read_file", { path: `f${n}.txt` })))
        const { bodies, session, workshop } = yield* world(speaker, [...reads, says(text("all read"))])
        for (const n of numbers(steps)) Workshop.write(workshop, `f${n}.txt`, `content-${n}!`)
        const result = yield* session.run(ask)
        assert.strictEqual(result.status, "completed")
        assert.strictEqual(result.text, "all read")
        assert.deepStrictEqual(
          workshop.ran,
          numbers(steps).map((n) => `read f${n}.txt`)
        )
        assert.strictEqual(bodies().length, steps + 1)
        for (const [n, body] of bodies().entries()) {
          const results = dialect.results(body)
          assert.strictEqual(results.length, n)
          // The tool's own text, encoded in the body once as a string and not twice.
          if (n > 0)
            assert.include(results.at(-1)?.replaceAll(`\\"`, `"`), JSON.stringify({ text: `content-${n - 1}!` }))
        }
        assert.strictEqual(result.usage.inputTokens, (steps + 1) * 1000)
        assert.strictEqual(result.usage.cachedInputTokens, (steps + 1) * 600)
      }),
    thorough
  )

  live(
    "does one command a step, each once and in order",
    () =>
      Effect.gen(function* () {
        const runs = numbers(steps).map((n) => says(call(`c${n}`, "run_command", { argv: ["echo", `said-${n}!`] })))
        const { bodies, session, workshop } = yield* world(speaker, [...runs, says(text("all run"))])
        const result = yield* session.run(ask)
        assert.strictEqual(result.text, "all run")
        assert.deepStrictEqual(
          workshop.ran,
          numbers(steps).map((n) => `run said-${n}!`)
        )
        const results = dialect.results(bodies()[steps])
        for (const n of numbers(steps)) assert.include(results[n], `said-${n}!`)
      }),
    thoroughOnly
  )

  live("runs 8 reads of one reply at once, and answers each call with its own result", () =>
    Effect.gen(function* () {
      const calls = numbers(8).map((n) => call(`c${n}`, "read_file", { path: `f${n}.txt` }))
      // No read answers before all eight have started.
      const { bodies, session, workshop } = yield* world(speaker, [says(...calls), says(text("read"))], 8)
      for (const n of numbers(8)) Workshop.write(workshop, `f${n}.txt`, `content-${n}!`)
      assert.strictEqual((yield* session.run(ask)).status, "completed")
      assert.strictEqual(workshop.ran.length, 8)
      const results = dialect.results(bodies()[1])
      assert.strictEqual(results.length, 8)
      for (const n of numbers(8)) {
        const own = results.filter((result) => result.includes(`"c${n}"`))
        assert.strictEqual(own.length, 1)
        assert.include(own[0], `content-${n}!`)
      }
    })
  )

  live("tells the model what is wrong with its arguments, runs nothing, and takes the corrected call", () =>
    Effect.gen(function* () {
      const wrong = dialect.writesArguments ? `{"path": "f.txt"` : { path: 7 }
      const { bodies, session, workshop } = yield* world(speaker, [
        says(call("c1", "read_file", wrong)),
        says(call("c2", "read_file", { path: "f.txt" })),
        says(text("done"))
      ])
      Workshop.write(workshop, "f.txt", "here!")
      assert.strictEqual((yield* session.run(ask)).text, "done")
      assert.deepStrictEqual(workshop.ran, ["read f.txt"])
      const [first, second] = dialect.results(bodies()[2])
      assert.include(first, "Error: ")
      assert.include(second, "here!")
    })
  )

  live("names the nearest tool where the model asks for one that is not there", () =>
    Effect.gen(function* () {
      const { bodies, session, workshop } = yield* world(speaker, [
        says(call("c1", "read_fil", { path: "f.txt" })),
        says(text("sorry"))
      ])
      assert.strictEqual((yield* session.run(ask)).text, "sorry")
      assert.deepStrictEqual(workshop.ran, [])
      assert.include(dialect.results(bodies()[1])[0], "read_file")
    })
  )

  live("shows reasoning apart from text, and returns what the provider signed", () =>
    Effect.gen(function* () {
      const signature = "c2lnbmVkLWJ5LWl0"
      const { bodies, session, workshop } = yield* world(speaker, [
        says(
          { is: "reasoning", text: "hm", signature },
          { ...call("c1", "read_file", { path: "f.txt" }), signature: "Y2FsbA==" }
        ),
        says(text("done"))
      ])
      Workshop.write(workshop, "f.txt", "here!")
      assert.strictEqual((yield* session.run(ask)).text, "done")
      const parts = (yield* Workshop.entries(session)).flatMap((body) =>
        body._tag === "ModelReplied" ? body.parts : []
      )
      assert.deepStrictEqual(
        parts.map((part) => (part._tag === "ToolCall" ? part.name : part.text)),
        [...(dialect.reasons ? ["hm"] : []), "read_file", "done"]
      )
      const signed = dialect.signatures?.(bodies()[1]) ?? null
      // Gemini signs calls too.
      const expected = dialect.writesArguments ? [signature] : [signature, "Y2FsbA=="]
      assert.deepStrictEqual(signed, dialect.signatures === null ? null : expected)
    })
  )

  live("sends images of people and of tools", () =>
    Effect.gen(function* () {
      const { bodies, session, workshop } = yield* world(speaker, [
        says(call("c1", "read_file", { path: "shot.png" })),
        says(text("a dot"))
      ])
      Workshop.write(workshop, "shot.png", "png")
      assert.strictEqual((yield* session.run({ text: "", media: [Workshop.pixel] })).text, "a dot")
      const shown = bodies().map((body) => JSON.stringify(body).split(Workshop.pixel.data).length - 1)
      assert.deepStrictEqual(shown, [1, 2])
    })
  )

  live("runs no tool of a reply that was cut, and goes on in the same session", () =>
    Effect.gen(function* () {
      const partial = { ...call("c1", "run_command", { argv: ["echo", "never"] }), open: true }
      const all = call("c2", "run_command", { argv: ["echo", "never"] })
      const cuts = [says(partial), says(all), says(text("I will"), all, partial)]
      const answers = cuts.flatMap((reply) => Wire.cuts.map((how) => Wire.cut(dialect, how, reply)))
      const { session, workshop } = yield* world(speaker, [...answers, says(text("whole"))])
      for (const _ of answers) {
        const error = yield* Effect.flip(session.run(ask))
        assert.strictEqual(error._tag === "ModelError" ? error.reason : error._tag, "StreamCut")
      }
      assert.strictEqual((yield* session.run(ask)).text, "whole")
      assert.deepStrictEqual(workshop.ran, [])
    })
  )
})

/** The declarations with the schemas of a session, without the keywords that decoding checks anyway. */
const asSent = (declared: unknown, tools: ReadonlyArray<Tool.Any>): unknown =>
  JSON.parse(
    JSON.stringify(declared, function (this: { readonly name?: string }, key, value) {
      const tool = tools.find(({ name }) => name === this.name)
      const isSchema = ["parameters", "input_schema", "parametersJsonSchema"].includes(key)
      return isSchema && tool !== undefined ? ToolSchema.forModel(tool) : value
    })
  )

describe.each(Speakers.providers)("Of our own, the loop over the %s", (_, speaker) => {
  const { dialect } = speaker

  live("declares the tools in the form of ToolFormat, with the schema that a session sends", () =>
    Effect.gen(function* () {
      const { bodies, session, workshop } = yield* world(speaker, [says(text("hi"))])
      yield* session.run(ask)
      const tools = Workshop.tools(workshop)
      const formats: Record<string, unknown> = {
        anthropic: ToolFormat.anthropic(tools),
        openai: ToolFormat.openAi(tools),
        google: ToolFormat.gemini(tools)
      }
      const expected = formats[dialect.provider.name] ?? ToolFormat.openAiChat(tools)
      if (dialect.provider.name !== "amazon-bedrock")
        assert.deepStrictEqual(dialect.tools(bodies()[0]), asSent(expected, tools))
      else assert.strictEqual((dialect.tools(bodies()[0]) as ReadonlyArray<unknown>).length, 2)
    })
  )
})
