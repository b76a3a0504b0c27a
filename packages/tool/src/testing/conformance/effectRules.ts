/** The rules about the effects of a run: tier, previews, replays. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import { isDeepStrictEqual } from "node:util"
import type * as Tool from "../../Tool.ts"
import * as Codecs from "./Codecs.ts"
import * as Fate from "./Fate.ts"
import { inWorld, type Session, waitUntil } from "./Run.ts"
import { refuse, type TestedTool } from "./Subject.ts"
import * as Watch from "./Watch.ts"
import * as WorldState from "./WorldState.ts"

/** Returns the value of a run, which must succeed. */
export const valueOf = <A>(tool: Tool.Any, subject: string, exit: Exit.Exit<A, unknown>): A =>
  Exit.isSuccess(exit) ? exit.value : refuse(tool, `${subject} failed: ${String(Cause.squash(exit.cause))}`)

const changeOf = ({ before, watch, world }: Session): string | null =>
  watch.seen[0] ?? WorldState.difference(before, WorldState.read(world))

/** Checks that a ReadOnly tool changes nothing, by watching a run for effects. */
export const honestTier = Effect.fnUntraced(function* (subject: TestedTool) {
  const { samples, tool } = subject
  for (const sample of samples) {
    const parameters = Codecs.parametersOf(tool, sample)
    yield* inWorld(
      subject,
      Fate.all("provided"),
      Effect.fnUntraced(function* (session) {
        const decoded = Codecs.parametersOf(tool, structuredClone(sample))
        const before = Watch.handles()
        const { output } = valueOf(tool, "execute", yield* session.run(tool.execute(decoded)))
        const returned = textOf(tool, output)
        if (!(isDeepStrictEqual(decoded, parameters) || Equal.equals(decoded, parameters))) {
          refuse(tool, "it changes its arguments, which are recorded as they were approved: change a copy")
        }
        yield* isOver(tool, session, before)
        if (textOf(tool, output) !== returned) {
          refuse(tool, "its output changes after it has returned, while it is being recorded: return a copy")
        }
        if (session.watch.hasPrinted) {
          refuse(
            tool,
            "it prints to stdout, which other programs read from the program: report progress, or return the text"
          )
        }
        const [bypass] = session.watch.seen
        if (bypass !== undefined && tool.capabilities.length > 0 && tool.tier !== "ReadOnly") {
          refuse(tool, `it ${bypass} past its capabilities: do it through a declared one`)
        }
        const change = tool.tier === "ReadOnly" ? changeOf(session) : null
        if (change !== null) refuse(tool, `its tier is ReadOnly and a call changes the world: ${change}`)
      })
    )
  }
})

/** Returns the output as JSON text; another rule checks that it fits its schema. */
const textOf = (tool: Tool.Any, output: unknown): string =>
  Result.match(Codecs.encodeOutput(tool, output), { onSuccess: JSON.stringify, onFailure: Codecs.describe })

/** Checks that a call has no effects after it has returned, because they would not be recorded. */
const isOver = Effect.fnUntraced(function* (
  tool: Tool.Any,
  { called }: Session,
  before: ReadonlyMap<string, number>
): Effect.fn.Return<void> {
  const calls = called.length
  yield* waitUntil(() => called.length > calls, 20)
  if (called.length > calls) refuse(tool, `its call has ended, and it goes on and calls ${called.at(-1)}`)
  // A capability may keep its open handles for later calls.
  if (tool.capabilities.length > 0) return
  if (!(yield* waitUntil(() => Watch.leakedHandle(before) === null, 200))) {
    refuse(tool, `its call has ended, and it still holds: ${Watch.leakedHandle(before)}`)
  }
})

const tiers: ReadonlySet<unknown> = new Set(["ReadOnly", "Workspace", "System", "Elevated"])

/** Checks that functions which run before the approval change nothing. */
export const harmlessPreviews = Effect.fnUntraced(function* (subject: TestedTool) {
  const { samples, tool } = subject
  for (const sample of samples) {
    const parameters = Codecs.parametersOf(tool, sample)
    yield* inWorld(
      subject,
      Fate.all("provided"),
      Effect.fnUntraced(function* (session) {
        if (tool.classify !== null) {
          const { tier } = valueOf(tool, "classify", yield* session.run(tool.classify(parameters)))
          if (!tiers.has(tier)) refuse(tool, `classify returns the tier ${tier}, which does not exist`)
        }
        if (tool.preview !== null) {
          const { render } = valueOf(tool, "preview", yield* session.run(tool.preview(parameters)))
          if (typeof render !== "string" || render.trim() === "") {
            refuse(tool, "its preview is empty: a user approves what it shows")
          }
        }
        const change = changeOf(session)
        if (change !== null) refuse(tool, `its classify or preview changes the world before the approval: ${change}`)
      })
    )
  }
})

/** Checks that a repeatable call has its effect only once, and that `findExisting` finds an existing effect. */
export const replayClass = Effect.fnUntraced(function* (subject: TestedTool) {
  const { samples, tool } = subject
  if (tool.findExisting !== null && tool.replay !== "Idempotent") {
    refuse(tool, `it has findExisting and is ${tool.replay}: only an Idempotent tool is asked`)
  }
  if (tool.replay === "Unsafe") return
  for (const sample of samples) {
    const parameters = Codecs.parametersOf(tool, sample)
    yield* inWorld(
      subject,
      Fate.all("provided"),
      Effect.fnUntraced(function* ({ before, run, world }) {
        const { findExisting } = tool
        if (findExisting !== null) {
          const early = valueOf(tool, "findExisting", yield* run(findExisting(parameters)))
          if (early !== null && WorldState.difference(before, WorldState.read(world)) !== null) {
            refuse(tool, "its findExisting changes the world")
          }
        }
        valueOf(tool, "execute", yield* run(tool.execute(parameters)))
        const once = WorldState.read(world)
        if (findExisting !== null) {
          const found = valueOf(tool, "findExisting", yield* run(findExisting(parameters)))
          if (found === null) refuse(tool, "its effect is there and findExisting does not recognise it")
        } else {
          valueOf(tool, `it is ${tool.replay}, and a second call`, yield* run(tool.execute(parameters)))
        }
        const change = WorldState.difference(once, WorldState.read(world))
        if (change !== null) refuse(tool, `it is ${tool.replay}, and a second call changes the world again: ${change}`)
      })
    )
  }
})
