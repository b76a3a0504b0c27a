/**
 * A transcript opened in the middle of a reply first shows what has been streamed of that reply, and nothing older.
 */
import { type Entry, type Event, Session } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as StreamedReplies from "../../../src/ui/tui/StreamedReplies.ts"

const delta = (id: string, text: string): Event.Event => ({
  _tag: "TextDelta",
  sessionId: Session.SessionId.make(id),
  turn: 1,
  step: 1,
  text
})

const recorded = (id: string, body: unknown): Event.Event => ({
  _tag: "Recorded",
  sessionId: Session.SessionId.make(id),
  entry: { body } as Entry.Entry
})

describe("StreamedReplies", () => {
  it("keeps the deltas of each session until its reply is stored or a new one starts", () => {
    const streamed = StreamedReplies.make()
    const shown = (id: string) =>
      streamed.current(id).map((event) => (event._tag === "TextDelta" ? event.text : event._tag))
    for (const event of [delta("one", "a"), delta("two", "x"), delta("one", "b")]) streamed.add(event)
    assert.deepStrictEqual([shown("one"), shown("two"), shown("none")], [["a", "b"], ["x"], []])
    streamed.add(recorded("one", { _tag: "UserMessage" }))
    assert.deepStrictEqual(shown("one"), ["a", "b"])
    for (const tag of ["ModelReplied", "StepStarted", "SessionEnded"]) {
      streamed.add(recorded("one", { _tag: tag }))
      assert.deepStrictEqual([shown("one"), shown("two")], [[], ["x"]], tag)
      streamed.add(delta("one", "c"))
      assert.deepStrictEqual(shown("one"), ["c"], tag)
    }
  })
})
