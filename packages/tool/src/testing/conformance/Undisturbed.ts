/** Undisturbed runs of a tool: their end states, and the capability calls at which the kit disturbs other runs. */
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import type * as Tool from "../../Tool.ts"
import * as Fate from "./Fate.ts"
import { inWorld, waitUntil } from "./Run.ts"
import { refuse, type TestedTool } from "./Subject.ts"
import * as Watch from "./Watch.ts"
import * as WorldState from "./WorldState.ts"

/**
 * The maximum number of calls at which a run is disturbed, because a tool that reads a thousand files behaves alike at
 * each.
 */
export const maxPoints = 32

export interface UndisturbedRun {
  /** The methods of capabilities that the run calls, in order. */
  readonly calls: ReadonlyArray<string>
  readonly exit: Exit.Exit<Tool.ToolResult<unknown>, unknown>
  /** The end states of two runs, each in a separate world. */
  readonly ends: readonly [ReadonlyArray<string>, ReadonlyArray<string>]
  /**
   * The end state of a third run in a later second, made when it is first needed: a time in seconds may be equal in the
   * other two by chance.
   */
  readonly later: Effect.Effect<ReadonlyArray<string>>
  /** The handles that the world holds after a run, by kind: its capabilities keep them. */
  readonly kept: ReadonlyMap<string, number>
}

const once = (subject: TestedTool, parameters: unknown) =>
  inWorld(
    subject,
    Fate.all("provided"),
    Effect.fnUntraced(function* ({ called, run: runTool, world }) {
      const before = Watch.handles()
      const exit = yield* runTool(subject.tool.execute(parameters))
      // A handle may appear some turns of the event loop later.
      yield* waitUntil(() => false, 20)
      return { calls: [...called], exit, end: WorldState.read(world), kept: Watch.newHandles(before) }
    })
  )

export const run = Effect.fnUntraced(function* (
  subject: TestedTool,
  parameters: unknown
): Effect.fn.Return<UndisturbedRun> {
  const first = yield* once(subject, parameters)
  const { calls, end, exit, kept } = yield* once(subject, parameters)
  const later = yield* Effect.cached(
    Effect.map(Effect.delay(once(subject, parameters), 1000), ({ end: third }) => third)
  )
  return { calls, exit, kept, later, ends: [first.end, end] }
})

/** The state of a world after the disturbed run, which must be a possible end state of an undisturbed run. */
export interface End {
  readonly state: ReadonlyArray<string>
  /** Returns the error for a state with this difference. */
  readonly fault: (change: string) => string
}

/** Refuses the tool if the state cannot be the end state of an undisturbed run. */
export const check = Effect.fnUntraced(function* (
  { tool }: TestedTool,
  { ends, later }: Pick<UndisturbedRun, "ends" | "later">,
  { fault, state }: End
): Effect.fn.Return<void> {
  if (WorldState.differenceFromAll(ends, state) === null) return
  const change = WorldState.differenceFromAll([...ends, yield* later], state)
  if (change !== null) refuse(tool, fault(change))
})

/** The calls to disturb, each with a description of its point in the run. */
export const points = ({
  calls
}: UndisturbedRun): ReadonlyArray<{ readonly position: number; readonly name: string }> =>
  calls.slice(0, maxPoints).map((name, position) => ({
    position,
    name: calls.length === 1 ? name : `${name}, call ${position + 1} of ${calls.length}`
  }))

/** The handles that capabilities may keep when the run ends at this call: none before the first call. */
export const handlesKeptBefore = ({ kept }: UndisturbedRun, position: number): UndisturbedRun["kept"] =>
  position === 0 ? new Map() : kept
