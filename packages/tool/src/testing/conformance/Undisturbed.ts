/** Runs of a tool that nothing disturbs: how they end, and the calls of capabilities at which the kit disturbs others. */
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import type * as Tool from "../../Tool.ts"
import * as Fate from "./Fate.ts"
import { inWorld, until } from "./Run.ts"
import { refuse, type Subject } from "./Subject.ts"
import * as Watch from "./Watch.ts"
import * as WorldState from "./WorldState.ts"

/** A run is disturbed at no more calls than this: a tool that reads each of a thousand files does the same at each. */
export const maxPoints = 32

export interface Undisturbed {
  /** The methods of capabilities that the run calls, in order. */
  readonly calls: ReadonlyArray<string>
  readonly exit: Exit.Exit<Tool.ToolResult<unknown>, unknown>
  /** The states in which two runs end, each in a world of its own. */
  readonly ends: readonly [ReadonlyArray<string>, ReadonlyArray<string>]
  /** The handles that the world holds after a run, by kind: its capabilities keep them. */
  readonly kept: ReadonlyMap<string, number>
}

const once = (subject: Subject, parameters: unknown) =>
  inWorld(
    subject,
    Fate.all("provided"),
    Effect.fnUntraced(function* ({ called, run: runTool, world }) {
      const before = Watch.handles()
      const exit = yield* runTool(subject.tool.execute(parameters))
      // A handle may appear some turns later.
      yield* until(() => false, 20)
      return { calls: [...called], exit, end: WorldState.read(world), kept: Watch.more(before) }
    })
  )

export const run = Effect.fnUntraced(function* (subject: Subject, parameters: unknown): Effect.fn.Return<Undisturbed> {
  const first = yield* once(subject, parameters)
  const { calls, end, exit, kept } = yield* once(subject, parameters)
  return { calls, exit, kept, ends: [first.end, end] }
})

/** The state of a world after the disturbed run, which has to be one in which an undisturbed run could end. */
export interface End {
  readonly state: ReadonlyArray<string>
  /** Returns the error for a state that differs in this way. */
  readonly fault: (change: string) => string
}

/** Refuses the tool if no undisturbed run could end so. */
export const check = Effect.fnUntraced(function* (
  subject: Subject,
  { parameters, undisturbed: { ends } }: { readonly parameters: unknown; readonly undisturbed: Undisturbed },
  { fault, state }: End
): Effect.fn.Return<void> {
  if (WorldState.differenceFromAll(ends, state) === null) return
  // A time in seconds may be equal in both runs by chance: a run in another second shows the files that hold one.
  const { end } = yield* Effect.delay(once(subject, parameters), 1000)
  const change = WorldState.differenceFromAll([...ends, end], state)
  if (change !== null) refuse(subject.tool, fault(change))
})

/** The calls to disturb, with words for the point in the run. */
export const points = ({ calls }: Undisturbed): ReadonlyArray<{ readonly position: number; readonly name: string }> =>
  calls.slice(0, maxPoints).map((name, position) => ({
    position,
    name: calls.length === 1 ? name : `${name}, call ${position + 1} of ${calls.length}`
  }))

/** The handles that capabilities may keep when the run ends at this call: none before the first call. */
export const keptBefore = ({ kept }: Undisturbed, position: number): Undisturbed["kept"] =>
  position === 0 ? new Map() : kept
