/** The rules about the end of a run: results, failures, interruption, time. */
import type { ToolError } from "@bough/protocol"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { isToolError } from "../../Failure.ts"
import type * as Tool from "../../Tool.ts"
import * as Codecs from "./Codecs.ts"
import { valueOf } from "./effectRules.ts"
import * as Fate from "./Fate.ts"
import { inWorld, maxMillis, type Session, waitUntil, untilInTime } from "./Run.ts"
import { refuse, type TestedTool } from "./Subject.ts"
import * as Undisturbed from "./Undisturbed.ts"
import * as Watch from "./Watch.ts"

const maxBound = 1024 * 1024

/**
 * Checks that results fit their schema, that the text for the model is a string, and that text beyond its limit goes to
 * a blob.
 */
export const fittingResults = Effect.fnUntraced(function* (subject: TestedTool) {
  const { samples, tool } = subject
  if (!Number.isSafeInteger(tool.maxModelBytes) || tool.maxModelBytes < 1 || tool.maxModelBytes > maxBound) {
    refuse(tool, `its maxModelBytes is ${tool.maxModelBytes}: choose 1 to ${maxBound}, and the rest spills`)
  }
  for (const sample of samples) {
    const parameters = Codecs.parametersOf(tool, sample)
    yield* inWorld(
      subject,
      Fate.all("provided"),
      Effect.fnUntraced(function* ({ run }) {
        const { display, output } = valueOf(tool, "execute", yield* run(tool.execute(parameters)))
        if (typeof display !== "string" || display.trim() === "")
          refuse(tool, "its display is empty: one short sentence for people")
        if (!display.isWellFormed()) refuse(tool, "its display is not well-formed Unicode: half a character is cut off")
        const encoded = Codecs.encodeOutput(tool, output)
        if (Result.isFailure(encoded))
          return refuse(tool, `its output does not fit its schema: ${Codecs.describe(encoded.failure)}`)
        if (tool.forModel === null) return
        const text: unknown = textOf(() => tool.forModel?.(output))
        if (typeof text !== "string") refuse(tool, "its forModel gives no text")
        else if (!text.isWellFormed()) refuse(tool, "its forModel returns text that is not well-formed Unicode")
      })
    )
  }
})

const textOf = (make: () => unknown): unknown => Result.getOrElse(Result.try(make), () => null)

/** Checks that a failure is one of the four ToolErrors, while all capabilities fail with each of the four in turn. */
export const fourErrors = Effect.fnUntraced(function* (subject: TestedTool) {
  const { samples, tool } = subject
  for (const sample of samples) {
    const parameters = Codecs.parametersOf(tool, sample)
    for (const failing of Fate.failures) {
      const exit = yield* inWorld(subject, Fate.all(failing), ({ run }) => run(tool.execute(parameters)))
      toolErrorOf(tool, exit, `where a capability fails with ${failing}`)
    }
  }
})

/** Returns the error of a run that failed, which must be one of the four; null: it succeeded. */
export const toolErrorOf = (
  tool: Tool.Any,
  exit: Exit.Exit<unknown, unknown>,
  situation: string
): ToolError.ToolError | null => {
  if (Exit.isSuccess(exit)) return null
  const error = Cause.squash(exit.cause)
  if (Cause.hasDies(exit.cause)) {
    return refuse(tool, `it dies ${situation}: ${String(error)}; map the failure to one of the four ToolErrors`)
  }
  if (isToolError(error)) return error
  return refuse(tool, `it fails with ${String(error)} ${situation}, which is none of the four ToolErrors`)
}

const limitMillis = 5000

/** Checks that a call ends and leaves no handle open if its timeout or the user interrupts it. */
export const freedByInterruption = Effect.fnUntraced(function* (subject: TestedTool) {
  const { samples, tool } = subject
  for (const sample of samples) {
    const parameters = Codecs.parametersOf(tool, sample)
    const millis: unknown = tool.timeoutMillis(parameters)
    if (typeof millis !== "number" || !(millis > 0 && millis <= maxMillis)) {
      refuse(tool, `its timeoutMillis is ${String(millis)}: choose 1 to ${maxMillis}`)
    }
    // The first interruption comes before any whole run: a tool that ignores it delays the others as well.
    const first = { parameters, position: 0, kept: new Map<string, number>() }
    yield* inWorld(subject, Fate.only(0, "never"), (session) => freed(tool, session, first))
    if (tool.capabilities.length === 0) continue
    const undisturbed = yield* Undisturbed.run(subject, parameters)
    for (const { name, position } of Undisturbed.points(undisturbed).slice(1)) {
      const interruption = { parameters, position, name, kept: Undisturbed.handlesKeptBefore(undisturbed, position) }
      yield* inWorld(subject, Fate.only(position, "never"), (session) => freed(tool, session, interruption))
    }
  }
})

interface Interruption extends Pick<Undisturbed.UndisturbedRun, "kept"> {
  readonly parameters: unknown
  /** The call of a capability in which the run is interrupted. */
  readonly position: number
  /** Default: the first call that the run makes, or its own work. */
  readonly name?: string
}

const freed = Effect.fnUntraced(function* (
  tool: Tool.Any,
  { called, provide }: Session,
  { kept, name, parameters, position }: Interruption
): Effect.fn.Return<void> {
  const before = Watch.handles()
  const fiber = Effect.runFork(provide(tool.execute(parameters)))
  const isReached = () => called.length > position || fiber.pollUnsafe() !== undefined
  yield* position === 0 ? waitUntil(isReached, 20) : untilInTime(isReached)
  const situation = `interrupted in ${name ?? called[0] ?? "its work"}`
  if (!(yield* endsInTime(fiber))) return refuse(tool, `${situation}, it still runs after ${limitMillis} ms`)
  yield* isFree(tool, { before, called, kept, situation })
})

interface RunRemains extends Pick<Undisturbed.UndisturbedRun, "kept"> {
  readonly before: ReadonlyMap<string, number>
  readonly called: ReadonlyArray<string>
  readonly situation: string
}

/** Checks that a call keeps no resources and does no work after its end. */
export const isFree = Effect.fnUntraced(function* (
  tool: Tool.Any,
  { before, called, kept, situation }: RunRemains
): Effect.fn.Return<void> {
  const calls = called.length
  // A handle that the call opened may appear some turns of the event loop later.
  yield* waitUntil(() => false, 20)
  const freed = yield* untilInTime(() => Watch.leakedHandle(before, kept) === null)
  if (!freed) refuse(tool, `${situation}, it still holds: ${Watch.leakedHandle(before, kept)}`)
  yield* waitUntil(() => called.length > calls, 20)
  if (called.length > calls) refuse(tool, `${situation}, it goes on and calls ${called.at(-1)}`)
})

const endsInTime = (fiber: Fiber.Fiber<unknown, unknown>): Effect.Effect<boolean> =>
  Fiber.interrupt(fiber).pipe(Effect.timeoutOption(limitMillis), Effect.map(Option.isSome))
