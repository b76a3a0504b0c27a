/** Replies in progress: the first piece of each attempt replaces the text of the one before. */
import { Entry, type Session } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Replies from "../../src/events/Replies.ts"

const sessionId = `ses_${"0".repeat(28)}` as Session.SessionId
const place = { treeId: sessionId, sessionId, path: [sessionId], turn: 1, step: 1 }

const delta = (text: string, step = 1) => ({ _tag: "Delta", ...place, step, part: "text", text, whole: false }) as const

describe("replies in progress", () => {
  it("replace the text so far at their first piece, also if a step is attempted again", () => {
    const replies = Replies.make()
    const flags = (texts: ReadonlyArray<string>, step?: number) =>
      texts.map((text) => replies.add(delta(text, step)).whole)
    assert.deepStrictEqual(flags(["An ", "att"]), [true, false])
    replies.settle({
      _tag: "Entry",
      id: "4.0",
      ...place,
      sequence: 4,
      entry: { body: { _tag: "StepStarted" } as Entry.BodyOf<"StepStarted"> } as Entry.Entry
    })
    assert.deepStrictEqual(flags(["Another ", "one"]), [true, false])
    assert.deepStrictEqual(flags(["Next"], 2), [true])
    assert.deepStrictEqual(
      replies.whole().map(({ text, whole }) => [text, whole]),
      [["Next", true]]
    )
  })
})
