/**
 * A model that plays a recorded conversation from a file, strictly in order, and the recorder that writes such files
 * from a real model. A prompt that differs from the recorded one fails, instead of getting a wrong reply.
 */
import { Directory } from "@bough/disk"
import { Model } from "@bough/runtime"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { readFile, writeFile } from "node:fs/promises"
import { dirname } from "node:path"
import * as Cassette from "./Cassette.ts"

export interface RecordedModelOptions {
  /** The path of the cassette: JSON lines, one per reply. */
  readonly path: string
  /**
   * Removes data from every text that must not be stored or that changes from run to run, such as a temporary
   * directory. The same function is used for recording and replaying.
   */
  readonly redact?: Cassette.Redact
}

export interface CassetteReplay {
  readonly model: Model.Model["Service"]
  /** Fails if replies of the cassette were not requested. */
  readonly assertDone: Effect.Effect<void, Model.ModelError>
}

/** Plays a cassette; fails with ScriptMismatch if the file is missing or invalid. */
export const replay = Effect.fnUntraced(function* ({ path, redact = unchanged }: RecordedModelOptions) {
  const text = yield* Effect.tryPromise({
    try: () => readFile(path, "utf8"),
    catch: (error) => mismatch(`no cassette at ${path}: ${error instanceof Error ? error.message : String(error)}`)
  })
  const lines = yield* Effect.forEach(
    text.split("\n").filter((line) => line !== ""),
    (line, index) =>
      Effect.mapError(Cassette.decode(line), () => mismatch(`line ${index + 1} of ${path} cannot be decoded`))
  )
  let next = 0
  const stream = (prompt: Model.Prompt) =>
    Stream.suspend(() => {
      const number = ++next
      const line = lines[number - 1]
      const { asked, digest } = Cassette.keyOf(prompt, redact)
      if (line === undefined) {
        return Stream.fail(mismatch(`call ${number} is beyond the ${lines.length} replies of ${path}: ${asked}`))
      }
      return line.digest === digest
        ? play(line)
        : Stream.fail(
            mismatch(`call ${number} differs from the recorded call in ${path}: ${asked}; then ${line.asked}`)
          )
    })
  return {
    model: {
      name: lines[0]?.model ?? "recorded/model",
      contextTokens: null,
      priced: lines.some((line) => line.parts.some((part) => part._tag === "End" && part.costUsd !== null)),
      stream
    },
    assertDone: Effect.suspend(() =>
      next >= lines.length
        ? Effect.void
        : Effect.fail(mismatch(`replies ${next + 1} to ${lines.length} of ${path} were never asked for`))
    )
  } satisfies CassetteReplay
})

/** Dies at the end of its scope if replies are left; a test that has already failed keeps its own error. */
export const layerReplay = (options: RecordedModelOptions): Layer.Layer<Model.Model, Model.ModelError> =>
  Layer.effect(
    Model.Model,
    Effect.map(
      Effect.acquireRelease(replay(options), ({ assertDone }, exit) =>
        Exit.isSuccess(exit) ? Effect.orDie(assertDone) : Effect.void
      ),
      ({ model }) => model
    )
  )

/** A model whose replies are written to a new cassette as they end. */
export const record = Effect.fnUntraced(function* (
  model: Model.Model["Service"],
  { path, redact = unchanged }: RecordedModelOptions
) {
  yield* Effect.sync(() => Directory.make(dirname(path)))
  /** The lines in the order of the requests; null: that reply has not ended, and later replies wait for it. */
  const lines: Array<Cassette.Line | null> = []
  const write = Effect.suspend(() => {
    const unfinished = lines.indexOf(null)
    const done = unfinished < 0 ? lines : lines.slice(0, unfinished)
    const text = done.map((line) => (line === null ? "" : `${Cassette.encode(line)}\n`)).join("")
    return Effect.promise(() => writeFile(path, text))
  })
  yield* write
  return {
    ...model,
    stream: (prompt: Model.Prompt) =>
      Stream.suspend(() => {
        const index = lines.push(null) - 1
        const parts: Array<Cassette.RecordedPart> = []
        return model.stream(prompt).pipe(
          // Parts that do not belong to the reply depend on the provider package's version.
          Stream.tap((part) => Effect.sync(() => part._tag === "Notice" || parts.push(part))),
          Stream.onExit((exit) =>
            Effect.suspend(() => {
              lines[index] = {
                version: 1,
                model: model.name,
                ...Cassette.keyOf(prompt, redact),
                parts: [...Cassette.redacted(parts, redact)],
                ended: endOf(exit, redact)
              }
              return write
            })
          )
        )
      })
  } satisfies Model.Model["Service"]
})

/** Records the replies of the Model that it wraps. */
export const layerRecord = (options: RecordedModelOptions): Layer.Layer<Model.Model, never, Model.Model> =>
  Layer.effect(
    Model.Model,
    Effect.flatMap(Model.Model, (model) => record(model, options))
  )

const unchanged: Cassette.Redact = (text) => text

const play = (line: Cassette.Line): Stream.Stream<Model.ModelPart, Model.ModelError> => {
  const parts = Stream.fromIterable(line.parts)
  if (line.ended === "whole") return parts
  if (line.ended === "interrupted") return Stream.concat(parts, Stream.never)
  return Stream.concat(parts, Stream.fail(new Model.ModelError({ model: line.model, ...line.ended })))
}

const endOf = (exit: Exit.Exit<unknown, Model.ModelError>, redact: Cassette.Redact): Cassette.Line["ended"] => {
  if (Exit.isSuccess(exit)) return "whole"
  const failure = exit.cause.reasons.find(Cause.isFailReason)
  if (failure === undefined) return "interrupted"
  const { hint, message, reason, retryAfterMillis, retryable } = failure.error
  return { reason, message: redact(message), hint: redact(hint), retryable, retryAfterMillis }
}

const mismatch = (message: string): Model.ModelError =>
  new Model.ModelError({
    reason: "ScriptMismatch",
    model: "recorded/model",
    message,
    hint: "if the change is meant, record the cassette again: RecordedModel.layerRecord over a real model",
    retryable: false,
    retryAfterMillis: null
  })
