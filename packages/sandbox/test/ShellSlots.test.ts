/** The idle shells of many sessions: the least recently used are closed, and no shell in use. */
import { Session } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as ShellSlots from "../src/ShellSlots.ts"

describe("ShellSlots", () => {
  it.effect("closes the least recently used idle shells beyond sixteen, and none that runs a command", () =>
    Effect.gen(function* () {
      const closed: Array<string> = []
      const shells = ShellSlots.make()
      const slots = Array.from({ length: 20 }, (_, at) => {
        const slot = ShellSlots.slotOf(shells, Session.SessionId.make(`ses_${at}`))
        slot.shell = { key: "", close: Effect.sync(() => void closed.push(`ses_${at}`)) }
        return slot
      })
      slots[0].isBusy = true
      slots[2].shell = null
      // Using it again makes it the newest.
      ShellSlots.slotOf(shells, Session.SessionId.make("ses_1"))
      yield* ShellSlots.closeIdle(shells)
      assert.deepStrictEqual(closed, ["ses_4", "ses_3"])
      assert.include(ShellSlots.takeNote(slots[3]), "16 others were used since")
      assert.strictEqual(ShellSlots.takeNote(slots[3]), "", "a note is for one command")
      assert.strictEqual(ShellSlots.takeNote(slots[0]), "")
      yield* ShellSlots.closeIdle(shells)
      assert.lengthOf(closed, 2)
    })
  )
})
