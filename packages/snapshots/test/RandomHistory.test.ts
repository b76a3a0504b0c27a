/**
 * Any history of calls, edits of a user, undos, redos and restarts: the files are the model. An undo restores what its
 * calls changed and nothing else, a refused one changes nothing, and a redo returns to every byte.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { isThorough, thorough } from "../../../test/thorough.ts"
import { WorkspaceSnapshots } from "../src/index.ts"
import { edit, random } from "./RandomEdits.ts"
import { directories, fingerprint, type Recorded } from "./Scratch.ts"

/** Every entry by its path. */
type State = ReadonlyMap<string, string>

const stateOf = (root: string): State =>
  new Map(
    fingerprint(root).map((line): [string, string] => {
      const label = /^"(?:[^"\\]|\\.)*"/u.exec(line)?.[0] ?? assert.fail(line)
      return [JSON.parse(label) as string, line.slice(label.length)]
    })
  )

interface PlayedStep extends Recorded {
  readonly from: State
  readonly to: State
}

/** The entries that calls changed, each with its state before the first change. */
const changedBy = (calls: ReadonlyArray<PlayedStep>): ReadonlyMap<string, string | undefined> => {
  const originals = new Map<string, string | undefined>()
  for (const { from, to } of calls) {
    for (const path of new Set([...from.keys(), ...to.keys()])) {
      if (from.get(path) !== to.get(path) && !originals.has(path)) originals.set(path, from.get(path))
    }
  }
  return originals
}

const isBelow = (path: string, above: string): boolean => path.startsWith(`${above}/`)

/** Checks the state after an undo. `isForced`: entries of others may have been in the way. */
const checkUndone = (
  {
    calls,
    isForced,
    now
  }: { readonly calls: ReadonlyArray<PlayedStep>; readonly now: State; readonly isForced: boolean },
  result: State,
  label: string
): void => {
  const originals = changedBy(calls)
  for (const [path, original] of originals) {
    const holdsOthers = original === undefined && [...result.keys()].some((other) => isBelow(other, path))
    if (!holdsOthers) assert.strictEqual(result.get(path), original, `${label}: ${JSON.stringify(path)}`)
  }
  for (const path of new Set([...now.keys(), ...result.keys()])) {
    if (originals.has(path) || now.get(path) === result.get(path)) continue
    const isInTheWay = [...originals].some(([place, original]) => original !== undefined && isBelow(path, place))
    const isNeeded = [...originals].some(([place, original]) => original !== undefined && isBelow(place, path))
    assert.isTrue(isForced && (isInTheWay || isNeeded), `${label}: ${JSON.stringify(path)} is of others`)
  }
}

const steps = 14

const play = Effect.fnUntraced(function* (seed: number) {
  const chance = random(seed)
  const { root, store } = yield* directories
  for (let count = 0; count < 25; count++) edit(root, chance)
  const hasUser = chance.below(2) === 0
  const isWatching = chance.below(3) > 0
  const calls: Array<PlayedStep> = []
  let turn = 1
  let scope = yield* Scope.make()
  const start = Effect.suspend(() =>
    WorkspaceSnapshots.make({ root, directory: store, isWatching }).pipe(Effect.provideService(Scope.Scope, scope))
  )
  let snapshots = yield* start
  /** The calls of each undo that was not redone, and the number of all calls at that time. */
  const undos: Array<{ readonly undone: ReadonlyArray<PlayedStep>; readonly count: number }> = []
  /** True once a redo has reverted an undo after which calls were made: they began without the redone changes. */
  let isMixed = false
  const lines: Array<string> = []

  const edits = (limit: number): void => {
    for (let count = chance.below(limit); count >= 0; count--) edit(root, chance)
  }
  const undo = Effect.fnUntraced(function* (isForced: boolean) {
    const target = chance.below(2) === 0 ? null : 1 + chance.below(turn)
    lines.push(`undo ${target}${isForced ? " forced" : ""}`)
    const label = `seed ${seed}: ${lines.join(", ")}`
    const before = stateOf(root)
    const result = yield* Effect.result(snapshots.undo({ session: "s", calls, turn: target, isForced }))
    const after = stateOf(root)
    if (result._tag === "Failure") {
      assert.include(["FilesChanged", "NothingToRestore"], result.failure._tag, `${label}: ${result.failure.message}`)
      if (result.failure._tag === "FilesChanged") assert.isTrue((hasUser || isMixed) && !isForced, label)
      return assert.deepStrictEqual(after, before, label)
    }
    const earlier = new Set(undos.flatMap(({ undone }) => undone))
    const undone = calls.filter((call) => !earlier.has(call) && call.turn >= result.success.turn)
    if (!isMixed) checkUndone({ calls: undone, now: before, isForced }, after, label)
    if (chance.below(2) === 0) return void undos.push({ undone, count: calls.length })
    lines.push("redo at once")
    yield* snapshots.redo({ session: "s", isForced: false })
    assert.deepStrictEqual(stateOf(root), before, `${label}, redone`)
  })

  for (let step = 0; step < steps; step++) {
    const kind = chance.below(10)
    if (kind < 4) {
      lines.push(`call in ${turn}`)
      const before = yield* snapshots.before
      const from = stateOf(root)
      edits(8)
      const to = stateOf(root)
      calls.push({ turn, commit: calls.length + 1, before, after: yield* snapshots.after, from, to })
      if (chance.below(2) === 0) turn++
    } else if (kind === 4 && hasUser) {
      lines.push("edit")
      edits(4)
    } else if (kind === 5) {
      lines.push("restart")
      yield* Scope.close(scope, Exit.void)
      scope = yield* Scope.make()
      snapshots = yield* start
    } else if (kind < 8) yield* undo(hasUser && chance.below(2) === 0)
    else {
      lines.push("redo")
      const before = stateOf(root)
      const result = yield* Effect.result(snapshots.redo({ session: "s", isForced: false }))
      if (result._tag === "Failure") {
        assert.include(["FilesChanged", "NothingToRestore"], result.failure._tag, lines.join(", "))
        assert.deepStrictEqual(stateOf(root), before, `seed ${seed}: ${lines.join(", ")}`)
      } else isMixed ||= undos.pop()?.count !== calls.length
    }
  }
  yield* Scope.close(scope, Exit.void)
})

const first = Number(process.env["SEED"] ?? 1)
const rounds = Number(process.env["ROUNDS"] ?? (isThorough ? 40 : 6))

describe("Any history of calls, edits, undos and redos", () => {
  it.live(
    "loses nothing, and restores exactly what calls changed",
    () =>
      Effect.gen(function* () {
        for (let seed = first; seed < first + rounds; seed++) yield* Effect.scoped(play(seed))
      }),
    thorough
  )
})
