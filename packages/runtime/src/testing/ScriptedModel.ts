/**
 * A model that plays a list of replies, one per call. A step that is not requested and a call after the last step both
 * fail the test, even if the code under test swallows model errors.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as Model from "../ports/Model.ts"
import { type Expectation, mismatchOf } from "./PromptExpectation.ts"
import { summary } from "./PromptSummary.ts"
import type { ReplyStep, Reply } from "./Reply.ts"

/** A step without `expect` takes any prompt. Failures refer to it by `name`; default: its number. */
export interface Step {
  readonly name?: string
  readonly expect?: Expectation
  readonly reply: Reply
}

export interface ScriptedModelOptions {
  readonly name?: string
  readonly contextTokens?: number | null
  readonly priced?: boolean
}

/** The script while it is played. */
export class Script extends Context.Service<
  Script,
  {
    /** The prompts so far, oldest first, including those of surplus calls. */
    readonly prompts: Effect.Effect<ReadonlyArray<Model.Prompt>>
    /** Fails with all faults if steps remain, there were surplus calls, or a prompt did not match. */
    readonly assertDone: Effect.Effect<void, Model.ModelError>
  }
>()("@bough/runtime/testing/ScriptedModel") {}

export interface ModelWithScript {
  readonly model: Model.Model["Service"]
  readonly script: Script["Service"]
}

/** A model with its script, for tests that wire it themselves and call `assertDone`. */
export const make = (
  steps: ReadonlyArray<Step | Reply>,
  options: ScriptedModelOptions = {}
): Effect.Effect<ModelWithScript> =>
  Effect.sync(() => {
    const script = steps.map((step, index) => withName(step, index))
    const prompts: Array<Model.Prompt> = []
    const complaints: Array<string> = []
    const name = options.name ?? "scripted/model"
    const mismatch = (message: string) =>
      new Model.ModelError({
        reason: "ScriptMismatch",
        model: name,
        message,
        hint: "change the script or the code under test so that they agree",
        retryable: false,
        retryAfterMillis: null
      })
    const complain = (message: string) => {
      complaints.push(message)
      return Stream.fail(mismatch(message))
    }
    const stream = (prompt: Model.Prompt) =>
      Stream.suspend(() => {
        const number = prompts.push(prompt)
        const step = script[number - 1]
        if (step === undefined) {
          return complain(`call ${number} is beyond the ${script.length} steps of the script: ${summary(prompt)}`)
        }
        const wrong = step.expect === undefined ? null : mismatchOf(step.expect, prompt)
        return wrong === null ? play(step.reply, number) : complain(`${step.name}: ${wrong}: ${summary(prompt)}`)
      })
    return {
      model: { name, contextTokens: options.contextTokens ?? null, priced: options.priced ?? false, stream },
      script: {
        prompts: Effect.sync(() => [...prompts]),
        assertDone: Effect.suspend(() => {
          const unrequested = script.slice(prompts.length).map((step) => `${step.name} was never requested`)
          const all = [...complaints, ...unrequested]
          return all.length === 0 ? Effect.void : Effect.fail(mismatch(all.join("; ")))
        })
      }
    }
  })

/**
 * Dies at the end of its scope if the script was not played exactly; if the test has already failed, its own error is
 * kept.
 */
export const layer = (
  steps: ReadonlyArray<Step | Reply>,
  options: ScriptedModelOptions = {}
): Layer.Layer<Model.Model | Script> =>
  Layer.effectContext(
    Effect.map(
      Effect.acquireRelease(make(steps, options), ({ script }, exit) =>
        Exit.isSuccess(exit) ? Effect.orDie(script.assertDone) : Effect.void
      ),
      ({ model, script }) => Context.make(Model.Model, model).pipe(Context.add(Script, script))
    )
  )

const withName = (step: Step | Reply, index: number) => {
  const { expect, name, reply }: Step = isReply(step) ? { reply: step } : step
  return { expect, reply, name: name === undefined ? `step ${index + 1}` : `step ${index + 1} (${name})` }
}

const isReply = (step: Step | Reply): step is Reply => Array.isArray(step)

const play = (reply: Reply, number: number): Stream.Stream<Model.ModelPart, Model.ModelError> => {
  const pieces = reply.map((piece) => withUniqueCallId(piece, number))
  // A reply without pauses and failures is emitted as it is, so that a benchmark does not measure the script.
  return pieces.every(isPart) ? Stream.fromIterable(pieces) : Stream.fromIterable(pieces).pipe(Stream.flatMap(perform))
}

const isPart = (piece: ReplyStep): piece is Model.ModelPart =>
  piece._tag !== "Pause" && piece._tag !== "Hang" && piece._tag !== "Fail"

const perform = (piece: ReplyStep): Stream.Stream<Model.ModelPart, Model.ModelError> => {
  if (piece._tag === "Fail") return Stream.fail(piece.error)
  if (piece._tag === "Hang") return Stream.never
  if (piece._tag === "Pause") return Stream.fromEffectDrain(Effect.sleep(piece.millis))
  return Stream.succeed(piece)
}

const withUniqueCallId = (piece: ReplyStep, number: number): ReplyStep =>
  "callId" in piece && piece.callId.startsWith("#")
    ? { ...piece, callId: `call_${number}_${piece.callId.slice(1)}` }
    : piece
