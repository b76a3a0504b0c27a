import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as IdPrefix from "../../src/session/IdPrefix.ts"

const things: IdPrefix.IdListing<string> = { idOf: (id) => id, plural: "things", lists: "ListNotes" }
const Id = Schema.Literals(["a", "ab", "abc", "abd", "b", "ba", "c"])

describe("IdPrefix", () => {
  it.effect.prop(
    "finds the one item with the prefix, or lists those that match",
    [Schema.Array(Id), Id],
    ([ids, given]) =>
      Effect.gen(function* () {
        const fitting = ids.filter((id) => id.startsWith(given))
        const found = yield* Effect.result(IdPrefix.findUnique(given, ids, things))
        if (fitting.length <= 1)
          return assert.strictEqual(found._tag === "Success" && found.success, fitting[0] ?? null)
        if (found._tag === "Success") return assert.fail(`${given} of ${ids.join()} found ${found.success}`)
        const { message, nextStep, reason } = found.failure
        assert.deepStrictEqual([reason, nextStep], ["Invalid", "ListNotes"])
        const named = fitting.slice(0, IdPrefix.maxNamed).join(", ")
        assert.isTrue(message.startsWith(`${given} is ambiguous: the things ${named}`), message)
        assert.strictEqual(message.endsWith(" and more begin with it"), fitting.length > IdPrefix.maxNamed)
      })
  )

  it.effect("finds nothing for an empty prefix", () =>
    Effect.map(IdPrefix.findUnique("", ["a"], things), (found) => assert.isNull(found))
  )
})
