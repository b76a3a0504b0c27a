/** Changes a workspace at random in turns; each turn can be undone and redone, byte by byte. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { someOf, thorough } from "../../../test/thorough.ts"
import { edit, random } from "./RandomEdits.ts"
import { fingerprint, session, workspace } from "./Scratch.ts"

const rounds = 4

const play = Effect.fnUntraced(function* (seed: number, isWatching: boolean) {
  const chance = random(seed)
  const { root, snapshots } = yield* workspace({}, { isWatching })
  for (let count = 0; count < 30; count++) edit(root, chance)
  const { call, redo, undo } = session(snapshots)
  const states: Array<ReadonlyArray<string>> = []
  const turns = 2 + chance.below(5)
  for (let turn = 1; turn <= turns; turn++) {
    states.push(fingerprint(root))
    for (let calls = chance.below(3); calls >= 0; calls--) {
      yield* call(turn, () => {
        for (let count = chance.below(12); count >= 0; count--) edit(root, chance)
      })
    }
  }
  const last = fingerprint(root)
  const target = 1 + chance.below(turns)
  const label = `seed ${seed}, turn ${target} of ${turns}`
  const result = yield* Effect.result(undo(target))
  if (result._tag === "Failure") {
    // None of these calls changed anything.
    assert.strictEqual(result.failure._tag, "NothingToRestore", `${label}: ${result.failure.message}`)
    return assert.deepStrictEqual(last, states[target - 1], label)
  }
  assert.deepStrictEqual(fingerprint(root), states[target - 1], label)
  const earlier = yield* Effect.result(undo())
  yield* redo()
  if (earlier._tag === "Success") {
    assert.deepStrictEqual(fingerprint(root), states[target - 1], `${label}, first redo`)
    yield* redo()
  }
  assert.deepStrictEqual(fingerprint(root), last, `${label}, redone`)
})

describe("Undo to a turn", () => {
  for (const isWatching of someOf([true, false], 1)) {
    it.live(
      `restores every byte, mode and link, and redo returns${isWatching ? "" : ", without reports of the kernel"}`,
      () =>
        Effect.gen(function* () {
          for (let seed = 1; seed <= rounds; seed++) yield* Effect.scoped(play(seed, isWatching))
        }),
      thorough
    )
  }
})
