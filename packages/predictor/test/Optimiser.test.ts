/** The optimiser on models whose answers depend on the prompt, so that the best prompt is known. */
import { Model } from "@bough/runtime"
import { Reply } from "@bough/runtime/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import {
  open,
  optimise,
  Optimiser,
  Predictor,
  type RecordedRun,
  RecordedRun as Runs,
  StoredPrompt
} from "../src/index.ts"

const kinds = ["bug", "question", "praise"] as const
type Kind = (typeof kinds)[number]

const sort = Predictor.make("sort", {
  instructions: "Sort it",
  input: Schema.Struct({ text: Schema.String }),
  output: Schema.Struct({ kind: Schema.Literals(kinds) }),
  limits: { steps: 1 }
})
const example = (text: string, kind: Kind) => ({ input: { text }, output: { kind } })
const cases = [
  example("it crashes", "bug"),
  example("how?", "question"),
  example("nice!", "praise"),
  example("broken", "bug")
]

/** The content of a prompt. */
interface PromptContent {
  readonly instructions: string
  /** The kinds of the examples. */
  readonly shown: ReadonlySet<Kind>
  readonly text: string
}

/** A model that answers by the prompt, and counts its answers. */
const modelOf = (answer: (seen: PromptContent) => unknown) => {
  const requests: Array<PromptContent> = []
  const service: Model.Model["Service"] = {
    name: "test/model",
    contextTokens: null,
    priced: true,
    stream: ({ messages, system }) => {
      const inputs = messages.flatMap((message) => (message._tag === "User" ? [message.text] : []))
      const outputs = JSON.stringify(messages.filter(({ _tag }) => _tag === "Assistant"))
      const seen: PromptContent = {
        instructions: system.split("\n")[0],
        shown: new Set(kinds.filter((kind) => outputs.includes(kind))),
        text: (JSON.parse(inputs.at(-1) ?? "{}") as { readonly text: string }).text
      }
      requests.push(seen)
      const reply = answer(seen)
      return reply instanceof Model.ModelError
        ? Stream.fail(reply)
        : Stream.fromIterable(Reply.toolCall("return_result", reply) as ReadonlyArray<Model.ModelPart>)
    }
  }
  return { asked: requests, service }
}

const right: ReadonlyMap<string, Kind> = new Map(cases.map(({ input, output }) => [input.text, output.kind]))

/** Right if the instructions are good and, except for bugs, if an example shows the kind; else a bug. */
const learner = ({ instructions, shown, text }: PromptContent): { readonly kind: Kind } => {
  const kind = right.get(text) ?? "bug"
  return { kind: instructions === "Sort it by what the writer wants" && shown.has(kind) ? kind : "bug" }
}

const candidates = {
  instructions: ["Be quick", "Sort it by what the writer wants"],
  examples: [
    example("it stops", "bug"),
    example("what is it?", "question"),
    example("why?", "question"),
    example("thanks", "praise"),
    example("how?", "question")
  ]
}

const found = (
  service: Model.Model["Service"],
  options: Partial<Optimiser.OptimiserOptions<(typeof sort)["input"], (typeof sort)["output"], typeof sort>> = {}
) =>
  Effect.provideService(
    Optimiser.optimise(sort, { cases, candidates, metric: Optimiser.exact, ...options }),
    Model.Model,
    service
  )

describe("Optimiser", () => {
  it.effect("finds the best instructions with the fewest examples, and never scores on examples of the prompt", () =>
    Effect.gen(function* () {
      for (const seed of [1, 2, 3, 4, 5]) {
        const { asked, service } = modelOf(learner)
        const { baseline, best, isExhaustive, predictions, predictor, trials, usage } = yield* found(service, { seed })
        assert.strictEqual(baseline.score, 0.5)
        assert.deepStrictEqual([best.score, best.isComplete, isExhaustive], [1, true, true])
        assert.strictEqual(predictor.instructions, "Sort it by what the writer wants")
        // One example of each kind that the model does not answer correctly without an example.
        const shown = predictor.examples.map(({ output }) => (JSON.parse(output) as { readonly kind: Kind }).kind)
        assert.deepStrictEqual(shown.toSorted(), ["praise", "question"])
        assert.isFalse(trials.some(({ examples }) => examples.some(({ input }) => input.includes("how?"))))
        assert.strictEqual(predictions, asked.length)
        assert.strictEqual(usage.inputTokens, 10 * asked.length)
        assert.strictEqual(
          new Set(trials.map((trial) => JSON.stringify([trial.instructions, trial.examples]))).size,
          trials.length
        )
      }
    })
  )

  it.effect("returns the same prompt for the same seed, and keeps the initial one if none is better", () =>
    Effect.gen(function* () {
      const [one, other] = yield* Effect.all([found(modelOf(learner).service), found(modelOf(learner).service)])
      assert.deepStrictEqual(one.trials, other.trials)
      const stubborn = yield* found(modelOf(() => ({ kind: "bug" })).service)
      assert.strictEqual(stubborn.predictor.instructions, "Sort it")
      assert.deepStrictEqual(stubborn.predictor.examples, [])
    })
  )

  it.effect("drops a prompt that cannot become the best, and stops if predictions run out", () =>
    Effect.gen(function* () {
      const perfect = modelOf(({ instructions, text }) => ({
        kind: instructions === "Sort it" ? right.get(text) : "praise"
      }))
      const kept = yield* found(perfect.service, { bounds: { concurrency: 1 } })
      assert.strictEqual(kept.best.score, 1)
      // No other prompt can be better than the first one, so none is tried.
      assert.lengthOf(perfect.asked, cases.length)
      const short = modelOf(learner)
      const cut = yield* found(short.service, { bounds: { predictions: 7, concurrency: 1 } })
      assert.deepStrictEqual([short.asked.length <= 7, cut.isExhaustive], [true, false])
      assert.strictEqual(cut.best.isComplete, true)
    })
  )

  it.effect("scores an invalid output as 0, and fails if the model does not answer", () =>
    Effect.gen(function* () {
      const failures: Array<string> = []
      const metric: Optimiser.Metric<typeof sort> = ({ failure, prediction }) => {
        if (failure !== null) failures.push(failure.reason)
        return prediction === null ? 0 : 1
      }
      const odd = modelOf(({ text }) => ({ kind: text === "how?" ? "nonsense" : "bug" }))
      const scored = yield* found(odd.service, { candidates: {}, metric })
      assert.deepStrictEqual([scored.best.score, failures], [0.75, ["LimitReached"]])
      const outage = new Model.ModelError({
        reason: "ServerFailed",
        model: "test/model",
        message: "down",
        hint: "wait",
        retryable: false,
        retryAfterMillis: null
      })
      const error = yield* Effect.flip(found(modelOf(() => outage).service))
      assert.deepStrictEqual([error.reason, error.message], ["ModelFailed", "down"])
    })
  )

  it("reports invalid options", async () => {
    const { service } = modelOf(learner)
    const tried = (options: object) =>
      optimise(sort, { cases, candidates, metric: Optimiser.exact, ...options }, { model: service }).then(
        () => "it went well",
        (error: unknown) => (error as Error).message
      )
    assert.match(await tried({ cases: [] }), /optimise\("sort"\): there are no cases/)
    assert.match(await tried({ cases: [{ input: { text: 5 }, output: { kind: "bug" } }] }), /cases\.0: input: .*text/)
    assert.match(
      await tried({ candidates: { examples: [{ input: { text: "x" }, output: { kind: "y" } }] } }),
      /candidates\.examples\.0: output: /
    )
    assert.match(await tried({ bounds: { predictions: 3 } }), /bounds\.predictions must be .* at least 4/)
    assert.match(await tried({ metric: () => 2 }), /the metric gave 2, not 0 to 1/)
  })

  it("learns from recorded runs, without those that read private data, and its prompt is saved as data", async () => {
    const runs: Array<RecordedRun.RecordedRun> = []
    const teacher = modelOf(({ text }) => ({ kind: right.get(text) ?? (text.endsWith("?") ? "question" : "praise") }))
    await using ask = await open(sort, { model: teacher.service, onRun: (run) => runs.push(run) })
    for (const text of ["thanks", "why?", "why?", "secret thanks"]) await ask({ text })
    const [private_] = runs.slice(-1)
    const read = Runs.readLines(
      [...runs.slice(0, -1), { ...private_, labels: ["private"] as const }].map(Runs.line).join("")
    )
    const learnt = Runs.examplesOf(sort, [...read.runs, { ...private_, signature: "other" }])
    assert.deepStrictEqual(learnt, [example("thanks", "praise"), example("why?", "question")])
    assert.lengthOf(Runs.examplesOf(sort, read.runs, ["private"]), 3)
    const instructions = ["Sort it by what the writer wants"]
    const optimised = await optimise(
      sort,
      { cases, candidates: { instructions, examples: learnt }, metric: Optimiser.exact },
      { model: modelOf(learner).service }
    )
    assert.strictEqual(optimised.best.score, 1)
    const stored: unknown = JSON.parse(JSON.stringify(StoredPrompt.fromOptimised(optimised)))
    const applied = Result.getOrThrow(StoredPrompt.apply(sort, stored))
    await using better = await open(applied, { model: modelOf(learner).service })
    assert.strictEqual((await better({ text: "nice!" })).output.kind, "praise")
    const other = Predictor.make("sort", { instructions: "Sort it", input: Schema.String, output: Schema.String })
    const why = <A>(applied: Result.Result<A, string>) => (Result.isFailure(applied) ? applied.failure : "it applies")
    const faults = [why(StoredPrompt.apply(other, stored)), why(StoredPrompt.apply(sort, { version: 2 }))]
    assert.match(faults[0], /belongs to other schemas/)
    assert.match(faults[1], /is not a stored prompt/)
  })
})
