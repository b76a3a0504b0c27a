/** The rules about a run that is disturbed at each call of a capability in turn: by a failure, and by a kill. */
import type { Approval } from "@bough/protocol"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { isDeepStrictEqual } from "node:util"
import type { Fact } from "../../Fact.ts"
import type * as Tool from "../../Tool.ts"
import * as Codecs from "./Codecs.ts"
import { valueOf } from "./effectRules.ts"
import { isFree, toolErrorOf } from "./endingRules.ts"
import * as Fate from "./Fate.ts"
import { inWorld, type Session, untilInTime } from "./Run.ts"
import { refuse, type TestedTool } from "./Subject.ts"
import * as Undisturbed from "./Undisturbed.ts"
import * as Watch from "./Watch.ts"
import * as WorldState from "./WorldState.ts"

interface Disturbance {
  readonly parameters: unknown
  readonly undisturbed: Undisturbed.UndisturbedRun
  readonly position: number
  readonly name: string
}

/**
 * Checks each run in which one call of a capability fails: the tool recovers or fails with one of the four ToolErrors,
 * releases its resources, and reports no effect that did not happen.
 */
export const answeredFailures = Effect.fnUntraced(function* (subject: TestedTool) {
  const { samples, tool } = subject
  for (const sample of samples) {
    const parameters = Codecs.parametersOf(tool, sample)
    const undisturbed = yield* Undisturbed.run(subject, parameters)
    // Only the first call of a run that fails there could be disturbed.
    valueOf(tool, "execute", undisturbed.exit)
    for (const { name, position } of Undisturbed.points(undisturbed)) {
      const disturbed = { parameters, undisturbed, position, name }
      const end = yield* inWorld(subject, Fate.only(position, "ExecutionError"), (session) =>
        checkFailure(tool, session, disturbed)
      )
      if (end !== null) yield* Undisturbed.check(subject, undisturbed, end)
    }
  }
})

/** Returns the end of a run that reports a complete effect. */
const checkFailure = Effect.fnUntraced(function* (
  tool: Tool.Any,
  { called, run, world }: Session,
  { name, parameters, position, undisturbed }: Disturbance
): Effect.fn.Return<Undisturbed.End | null> {
  const { exit: sound } = undisturbed
  const before = Watch.handles()
  const exit = yield* run(tool.execute(parameters))
  const situation = `where ${name}, fails`
  toolErrorOf(tool, exit, situation)
  yield* isFree(tool, { before, called, kept: Undisturbed.handlesKeptBefore(undisturbed, position), situation })
  if (called.length <= position || Exit.isFailure(exit) || Exit.isFailure(sound)) return null
  if (!isDeepStrictEqual(exit.value, sound.value)) return null
  const fault = (change: string) =>
    `${situation}, it returns the result of a complete effect, but its effect is incomplete: ${change}`
  return { state: WorldState.read(world), fault }
})

/**
 * Kills a repeatable tool before and after each call of a capability, and checks that its complete effect exists
 * exactly once in the end: either findExisting finds it, or a new run completes it.
 */
export const recoveredKills = Effect.fnUntraced(function* (subject: TestedTool) {
  const { samples, tool } = subject
  if (tool.replay === "Unsafe" || tool.tier === "ReadOnly") return
  for (const sample of samples) {
    const parameters = Codecs.parametersOf(tool, sample)
    const undisturbed = yield* Undisturbed.run(subject, parameters)
    valueOf(tool, "execute", undisturbed.exit)
    for (const { name, position } of Undisturbed.points(undisturbed)) {
      for (const fate of ["never", "lost"] as const) {
        const disturbed = { parameters, undisturbed, position, name, fate }
        const end = yield* inWorld(subject, Fate.all("provided"), (session) => killed(tool, session, disturbed))
        if (end !== null) yield* Undisturbed.check(subject, undisturbed, end)
      }
    }
  }
})

interface KilledCall extends Disturbance {
  readonly fate: "never" | "lost"
}

/** Returns the end of the run that recovers; null: there was none. */
const killed = Effect.fnUntraced(function* (
  tool: Tool.Any,
  session: Session,
  { fate, name, parameters, position }: KilledCall
): Effect.fn.Return<Undisturbed.End | null> {
  const facts = yield* preconditions(tool, session, parameters)
  const first = session.attempt(Fate.killedAt(position, fate))
  const fiber = Effect.runFork(first.provide(tool.execute(parameters)))
  // After the last call, only the answer is withheld; the effect has happened.
  yield* untilInTime(() => first.withheld.length > 0 || fiber.pollUnsafe() !== undefined)
  const situation = `killed ${fate === "never" ? "before" : "after"} ${name}`
  const end = first.withheld.length > 0 ? yield* recovered(tool, session, { facts, parameters, situation }) : null
  // A killed process would not run finalizers. Here they run once no check depends on the run, to release resources of
  // this process.
  yield* Effect.forkDetach(Fiber.interrupt(fiber))
  return end
})

type PreviewFacts = ReadonlyArray<Approval.Precondition | Fact>

/** The facts on which an approval of the call depends; null: the preview cannot be made. */
const preconditions = (tool: Tool.Any, { run }: Session, parameters: unknown): Effect.Effect<PreviewFacts | null> =>
  tool.preview === null
    ? Effect.succeed([])
    : Effect.map(run(tool.preview(parameters)), (exit) => (Exit.isSuccess(exit) ? exit.value.preconditions : null))

interface AfterKill extends Pick<Disturbance, "parameters"> {
  readonly facts: PreviewFacts | null
  readonly situation: string
}

const recovered = Effect.fnUntraced(function* (
  tool: Tool.Any,
  session: Session,
  { facts, parameters, situation }: AfterKill
): Effect.fn.Return<Undisturbed.End | null> {
  const { run, world } = session
  const existing = yield* found(tool, session, { facts, parameters })
  if (existing !== null) {
    const encoded = Codecs.encodeOutput(tool, existing.output)
    if (Result.isFailure(encoded)) {
      refuse(
        tool,
        `${situation}, the output of its findExisting does not fit its schema: ${Codecs.describe(encoded.failure)}`
      )
    }
    const fault = (change: string) => `${situation}, its findExisting reports a partial effect as complete: ${change}`
    return { state: WorldState.read(world), fault }
  }
  // An Idempotent call whose facts have changed is not run again: its outcome is reported as unknown.
  if (tool.replay === "Idempotent" && !isDeepStrictEqual(facts, yield* preconditions(tool, session, parameters))) {
    return null
  }
  const ended = yield* Effect.timeoutOption(run(tool.execute(parameters)), limitMillis)
  if (Option.isNone(ended)) return refuse(tool, `${situation}, a new run does not end in ${limitMillis} ms`)
  if (Exit.isFailure(ended.value)) {
    const error = String(Cause.squash(ended.value.cause))
    return refuse(tool, `${situation}, findExisting finds nothing and a new run fails: ${error}`)
  }
  const fault = (change: string) => `${situation}, a new run ends differently from an undisturbed run: ${change}`
  return { state: WorldState.read(world), fault }
})

const limitMillis = 120_000

/** Calls findExisting as the dispatcher does. Returns null for a failure, or if a written file is unchanged. */
const found = Effect.fnUntraced(function* (
  tool: Tool.Any,
  { run, world }: Session,
  { facts, parameters }: Pick<AfterKill, "facts" | "parameters">
): Effect.fn.Return<Tool.ToolResult<unknown> | null> {
  if (tool.findExisting === null) return null
  const before = WorldState.read(world)
  const exit = yield* run(tool.findExisting(parameters))
  const change = WorldState.difference(before, WorldState.read(world))
  if (change !== null) refuse(tool, `its findExisting changes the world: ${change}`)
  if (Exit.isFailure(exit) || exit.value === null) return null
  const { artifacts = [] } = exit.value
  const isAsBefore = artifacts.some(
    (artifact) =>
      artifact._tag === "FileWritten" &&
      facts?.some(
        (fact) =>
          "_tag" in fact && fact._tag === "FileDigest" && fact.path === artifact.path && fact.digest === artifact.digest
      )
  )
  return isAsBefore ? null : exit.value
})
