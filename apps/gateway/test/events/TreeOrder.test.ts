/** A live reader of a tree gets the same as a later reader of the journal: the same entries, ids and order. */
import { Entry, Session } from "@bough/protocol"
import type { Model } from "@bough/runtime"
import { Reply } from "@bough/runtime/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TreeJournal from "../../src/events/TreeJournal.ts"
import { entriesOf, events, untilLast, untilSaid } from "../Events.ts"
import * as Gateway from "../Gateway.ts"

const task = "Look around"

/** A model whose Main starts three branches at once, which make two calls each. It has no state. */
const next = ({ messages }: Model.Prompt): Reply.Reply => {
  const text = JSON.stringify(messages)
  const results = messages.filter(({ _tag }) => _tag === "ToolResult").length
  if (!text.includes("Start branches")) {
    return results < 2 ? Reply.toolCall("list_directory", { path: "." }) : Reply.text("The branch is done.")
  }
  if (results === 0) {
    return Reply.toolCalls(Array.from({ length: 3 }, () => ({ name: "spawn_branch", arguments: { task } })))
  }
  return Reply.text(text.split("The branch is done.").length > 3 ? "All is done." : "They are at work.")
}

const model: Model.Model["Service"] = {
  name: "test/branches",
  contextTokens: null,
  priced: false,
  stream: (prompt) => {
    const ids = prompt.messages.length
    return Stream.fromIterable(
      next(prompt).map((piece) =>
        "callId" in piece ? { ...piece, callId: `${piece.callId}-${ids}` } : piece
      ) as ReadonlyArray<Model.ModelPart>
    )
  }
}

describe("the frames of a tree", () => {
  it("are the owner's live events only if no other session of the tree may be ahead", () => {
    const [main, branch] = ["main", "branch"].map((id) => Session.SessionId.make(id))
    const at = (sessionId: Session.SessionId, seq: number): [Session.SessionId, TreeJournal.SessionCursor] => [
      sessionId,
      { sessionId, path: [sessionId], seq, turn: 1, step: 1 }
    ]
    const entry = (sessionId: Session.SessionId, seq: number, commit: number): Entry.Entry => ({
      id: Entry.idOf(sessionId, seq),
      sessionId,
      seq,
      commit,
      labels: [],
      digest: "",
      body: { _tag: "UserMessage", text: "Hello", media: [] } as never
    })
    const alone: TreeJournal.TreeCursor = { sessions: new Map([at(main, 4)]), position: { commit: 3, index: 0 } }
    const ids = [entry(main, 4, 5), entry(main, 5, 5), entry(main, 6, 6)].map(
      (one) => TreeJournal.follow(alone, main, one)?.id
    )
    assert.deepStrictEqual(ids, ["5.0", "5.1", "6.0"])
    // One is missing, and one is of an unknown session.
    assert.isNull(TreeJournal.follow(alone, main, entry(main, 8, 8)))
    assert.isNull(TreeJournal.follow(alone, main, entry(branch, 0, 7)))
    const both: TreeJournal.TreeCursor = { sessions: new Map([at(main, 4), at(branch, 2)]), position: alone.position }
    assert.isNull(TreeJournal.follow(both, main, entry(main, 4, 9)))
    assert.deepStrictEqual(both.sessions.get(main)?.seq, 4)
  })

  it.live("are the same for a live reader and for a later one", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const gateway = yield* Gateway.start({ model: () => model })
        const token = yield* Gateway.user(gateway, "acme/ada")
        const sessionId: string = (yield* gateway.request("/api/v1/sessions", { token, body: {} })).json.id
        const isOpen = yield* Deferred.make<void>()
        const reading = yield* events(gateway, { token, sessionId }).pipe(
          Stream.tap(() => Deferred.succeed(isOpen, undefined)),
          Stream.takeUntil(
            ({ frame }) => frame._tag === "TurnEnded" && frame.sessionId === sessionId && frame.text === "All is done."
          ),
          Stream.runCollect,
          Effect.forkScoped
        )
        yield* Deferred.await(isOpen)
        const body = { text: "Start branches" }
        yield* gateway.request(`/api/v1/sessions/${sessionId}/messages`, { token, body })
        yield* untilSaid(gateway, { token, sessionId }, "All is done.")
        const live = (yield* Fiber.join(reading)).filter(({ id }) => id !== null)
        const later = yield* untilLast(gateway, { token, sessionId }, live.at(-1)?.id ?? "")
        assert.deepStrictEqual(live, later)
        assert.strictEqual(new Set(entriesOf(live).map((entry) => entry.sessionId)).size, 4)
        // At whichever position a reader resumes, it gets each entry once.
        for (const at of [0, 5, 12, 20, live.length - 2]) {
          const lastEventId = live[at]?.id ?? ""
          const rest = yield* events(gateway, { token, sessionId, lastEventId }).pipe(
            Stream.filter(({ id }) => id !== null),
            Stream.takeUntil(({ id }) => id === live.at(-1)?.id),
            Stream.runCollect
          )
          assert.deepStrictEqual(rest, live.slice(at + 1))
        }
      })
    )
  )
})
