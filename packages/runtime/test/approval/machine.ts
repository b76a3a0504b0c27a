/** Explores a setting, and returns the phases that the calls reached. */
import * as Explore from "./Explore.ts"
import * as Play from "./play.ts"
import * as Rules from "./rules.ts"

export interface Explored extends Explore.Explored<Play.View, string> {
  readonly phases: ReadonlySet<Rules.Phase>
}

export const explore = (setting: Play.Setting): Explored => {
  const phases = new Set<Rules.Phase>()
  const explored = Explore.explore<Play.View, string>({
    initial: Play.play(setting, []),
    steps: ({ steps }) => steps,
    next: ({ path }, step) => Play.play(setting, [...path, step]),
    keyOf: ({ key }) => key,
    broken: (view, before) => {
      for (const call of view.calls) phases.add(Rules.phaseOf(call))
      return Rules.broken(view, before)
    }
  })
  return { ...explored, phases }
}

/** The shortest path to a violation; "" if there is none. */
export const found = ({ counterexample }: Explored): string =>
  counterexample === null ? "" : Explore.describe(counterexample)
