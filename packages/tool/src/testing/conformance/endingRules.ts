/** The rules about how a run ends: results, failures, interruption, time. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { isToolError } from "../../Failure.ts"
import * as Codecs from "./Codecs.ts"
import { succeeded } from "./effectRules.ts"
import { inWorld, until } from "./Run.ts"
import { refuse, type Subject } from "./Subject.ts"
import * as Watch from "./Watch.ts"

const largestBound = 1024 * 1024

/**
 * Checks that results fit their schema, that the text for the model is a string, and that text beyond its limit goes to
 * a blob.
 */
export const fittingResults = Effect.fnUntraced(function* (subject: Subject) {
  const { samples, tool } = subject
  if (!Number.isSafeInteger(tool.maxModelBytes) || tool.maxModelBytes < 1 || tool.maxModelBytes > largestBound) {
    refuse(tool, `its maxModelBytes is ${tool.maxModelBytes}: choose 1 to ${largestBound}, and the rest spills`)
  }
  for (const sample of samples) {
    const parameters = Codecs.parametersOf(tool, sample)
    yield* inWorld(
      subject,
      "provided",
      Effect.fnUntraced(function* ({ run }) {
        const { display, output } = succeeded(tool, "execute", yield* run(tool.execute(parameters)))
        if (typeof display !== "string" || display.trim() === "")
          refuse(tool, "its display is empty: one short sentence for people")
        if (!display.isWellFormed()) refuse(tool, "its display is no well-formed Unicode: half a character is cut off")
        const encoded = Codecs.encodeOutput(tool, output)
        if (Result.isFailure(encoded))
          return refuse(tool, `its output does not fit its schema: ${Codecs.describe(encoded.failure)}`)
        if (tool.forModel === null) return
        const text: unknown = textOf(() => tool.forModel?.(output))
        if (typeof text !== "string") refuse(tool, "its forModel gives no text")
        else if (!text.isWellFormed()) refuse(tool, "its forModel gives text that is no well-formed Unicode")
      })
    )
  }
})

const textOf = (make: () => unknown): unknown => Result.getOrElse(Result.try(make), () => null)

/** Checks that a failure is one of the four ToolErrors, even if a capability fails. */
export const fourErrors = Effect.fnUntraced(function* (subject: Subject) {
  const { samples, tool } = subject
  for (const sample of samples) {
    const parameters = Codecs.parametersOf(tool, sample)
    yield* inWorld(
      subject,
      "failing",
      Effect.fnUntraced(function* ({ run }) {
        const exit = yield* run(tool.execute(parameters))
        if (Exit.isSuccess(exit)) return
        const error = Cause.squash(exit.cause)
        if (Cause.hasDies(exit.cause)) {
          refuse(
            tool,
            `it dies where a capability fails: ${String(error)}; map the failure to one of the four ToolErrors`
          )
        } else if (!isToolError(error)) {
          refuse(tool, `it fails with ${String(error)}, which is none of the four ToolErrors`)
        }
      })
    )
  }
})

const limitMillis = 5000
/** The longest timeout that a timer of Node accepts. */
const longestMillis = 2 ** 31 - 1

/** Checks that a call that its timeout or the user interrupts ends and leaves no handle open. */
export const freedByInterruption = Effect.fnUntraced(function* (subject: Subject) {
  const { samples, tool } = subject
  for (const sample of samples) {
    const parameters = Codecs.parametersOf(tool, sample)
    const millis: unknown = tool.timeoutMillis(parameters)
    if (typeof millis !== "number" || !(millis > 0 && millis <= longestMillis)) {
      refuse(tool, `its timeoutMillis is ${String(millis)}: choose 1 to ${longestMillis}`)
    }
    yield* inWorld(
      subject,
      "never",
      Effect.fnUntraced(function* ({ called, provide }) {
        const before = Watch.handles()
        const fiber = Effect.runFork(provide(tool.execute(parameters)))
        yield* until(() => called.length > 0 || fiber.pollUnsafe() !== undefined, 20)
        if (!(yield* endsInTime(fiber))) return refuse(tool, `interrupted, it still runs after ${limitMillis} ms`)
        const calls = called.length
        // A handle that the call opened may appear some turns later.
        yield* until(() => false, 20)
        const freed = yield* until(() => Watch.leftOver(before) === null, 200)
        if (!freed) refuse(tool, `interrupted, it still holds: ${Watch.leftOver(before)}`)
        yield* until(() => called.length > calls, 20)
        if (called.length > calls) refuse(tool, `interrupted, it goes on and calls ${called.at(-1)}`)
      })
    )
  }
})

const endsInTime = (fiber: Fiber.Fiber<unknown, unknown>): Effect.Effect<boolean> =>
  Fiber.interrupt(fiber).pipe(Effect.timeoutOption(limitMillis), Effect.map(Option.isSome))
