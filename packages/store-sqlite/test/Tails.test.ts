/** The cached ends of journals, for as long as their trees are owned. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SqliteClient from "../src/driver/SqliteClient.ts"
import * as Migration from "../src/Migration.ts"
import * as Tails from "../src/Tails.ts"

const few = Schema.Literals([0, 1, 2])
/** A tree's Main has the tree's name. */
const written = Schema.Array(Schema.Struct({ tree: few, member: few, seq: Schema.Natural }))
const nameOf = (tree: number, member: number) => (member === 0 ? `tree${tree}` : `tree${tree} member${member}`)
const all = [0, 1, 2].flatMap((tree) => [0, 1, 2].map((member) => ({ tree, member })))

describe("Tails", () => {
  it.effect.prop("forget one tree, completely and nothing else", [written, few], ([writes, forgotten]) =>
    Effect.gen(function* () {
      // The database is empty, so an unknown tail stays absent.
      const client = yield* SqliteClient.make({ filename: ":memory:", pragmas: {} })
      const tails = Tails.make()
      const expected = new Map<string, number>()
      for (const { member, seq, tree } of writes) {
        tails.write(nameOf(tree, member), 1, { treeId: nameOf(tree, 0), seq, digest: "", second: 0 })
        expected.set(nameOf(tree, member), seq)
      }
      tails.forget(nameOf(forgotten, 0))
      yield* client.sync((database) => {
        Migration.migrate(database, 0)
        const known = (name: string, epoch: number) => tails.read(database, name, epoch).seq
        for (const { member, tree } of all) {
          const name = nameOf(tree, member)
          assert.strictEqual(known(name, 1), tree === forgotten ? 0 : (expected.get(name) ?? 0), name)
          assert.strictEqual(known(name, 2), 0, "under another owner nothing is known")
        }
        tails.clear()
        for (const { member, tree } of all) assert.strictEqual(known(nameOf(tree, member), 1), 0)
      })
    }).pipe(Effect.scoped)
  )
})
