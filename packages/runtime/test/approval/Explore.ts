/**
 * Explores every state that a machine can reach, breadth first, so that a violation is found by a shortest path. Pure.
 */

export interface Machine<State, Step> {
  readonly initial: State
  /** The possible next steps; none: it has ended. */
  readonly steps: (state: State) => ReadonlyArray<Step>
  readonly next: (state: State, step: Step) => State
  /** States with the same key have the same future: one of them is visited. */
  readonly keyOf: (state: State) => string
  /** The violation in a state, or in the step to it from `before`; null: none. `before` is null at the start. */
  readonly broken: (state: State, before: State | null) => string | null
}

export interface Counterexample<State, Step> {
  readonly path: ReadonlyArray<Step>
  readonly broken: string
  readonly state: State
}

export interface Explored<State, Step> {
  /** The number of distinct ones. */
  readonly states: number
  readonly transitions: number
  /** The first violation, after which the search stops; null: there is none. */
  readonly counterexample: Counterexample<State, Step> | null
}

interface Found<State, Step> {
  readonly state: State
  readonly step: Step | null
  readonly from: Found<State, Step> | null
}

/** Ends if the machine has finitely many keys. */
export const explore = <State, Step>(machine: Machine<State, Step>): Explored<State, Step> => {
  const start: Found<State, Step> = { state: machine.initial, step: null, from: null }
  const seen = new Set([machine.keyOf(machine.initial)])
  let transitions = 0
  const ended = (found: Found<State, Step>, broken: string): Explored<State, Step> => ({
    states: seen.size,
    transitions,
    counterexample: { path: pathOf(found), broken, state: found.state }
  })
  const atOnce = machine.broken(machine.initial, null)
  if (atOnce !== null) return ended(start, atOnce)
  let level = [start]
  while (level.length > 0) {
    const below: Array<Found<State, Step>> = []
    for (const from of level) {
      for (const step of machine.steps(from.state)) {
        transitions += 1
        const found = { state: machine.next(from.state, step), step, from }
        const broken = machine.broken(found.state, from.state)
        if (broken !== null) return ended(found, broken)
        const key = machine.keyOf(found.state)
        if (seen.has(key)) continue
        seen.add(key)
        below.push(found)
      }
    }
    level = below
  }
  return { states: seen.size, transitions, counterexample: null }
}

const pathOf = <State, Step>(last: Found<State, Step>): ReadonlyArray<Step> => {
  const path: Array<Step> = []
  for (let found: Found<State, Step> | null = last; found !== null; found = found.from) {
    if (found.step !== null) path.unshift(found.step)
  }
  return path
}

/** Formats a path for users: a step a line, then the violation. */
export const describe = <State>({ broken, path }: Counterexample<State, string>): string =>
  [...path.map((step, index) => `${index + 1}. ${step}`), `broken: ${broken}`].join("\n")
