/** Messages of sessions to users: by the Main's channel, in their own name, under the channel's policy. */
import type { Event } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Reply from "../../src/testing/Reply.ts"
import * as Person from "../../src/testing/ScriptedPerson.ts"
import * as World from "../session/world.ts"
import * as Grove from "./grove.ts"

const { text, toolCall } = Reply
const sendMessage = (words: string) => toolCall("send_message", { text: words })
const waitsFor = toolCall("wait_for_sessions", {})

const messages = (events: ReadonlyArray<Event.Event>) =>
  events.flatMap((event) => (event._tag === "MessageSent" ? [event] : []))

describe("send_message", () => {
  it.effect("reaches the Main's channel from a Branch, in the Branch's name, and no prompt above it", () =>
    Grove.run(
      Effect.gen(function* () {
        const { cast, events, session } = yield* Grove.open({
          readers: "owner",
          cast: {
            go: [toolCall("spawn_branch", { task: "work" }), waitsFor, text("ok")],
            work: [sendMessage("half done"), text("done")]
          }
        })
        yield* session.run(World.say("go"))
        yield* cast.assertDone
        const [sent] = messages(events)
        assert.deepStrictEqual([sent.from, sent.text], [{ kind: "Branch", title: "work" }, "half done"])
        const [{ childId }] = yield* Grove.bodies(session.sessionId, "ChildSpawned")
        assert.strictEqual(sent.sessionId, childId)
        const [ended] = yield* Grove.bodies(childId, "CallEnded")
        assert.deepStrictEqual(ended.receipt?.artifacts, [
          { _tag: "MessageSent", channel: "test", messageId: sent.messageId }
        ])
        assert.notInclude(JSON.stringify((yield* cast.scripts.get("go")!.prompts).at(-1)), "half done")
      })
    )
  )

  it.effect("of a Main has no title, and each message an id of its own", () =>
    Grove.run(
      Effect.gen(function* () {
        const { events, session } = yield* Grove.open({
          readers: "owner",
          cast: { go: [sendMessage("one"), sendMessage("two"), text("ok")] }
        })
        yield* session.run(World.say("go"))
        const sent = messages(events)
        assert.deepStrictEqual(
          sent.map(({ from, text: words }) => [from.kind, from.title, words]),
          [
            ["Main", "", "one"],
            ["Main", "", "two"]
          ]
        )
        assert.strictEqual(new Set(sent.map(({ messageId }) => messageId)).size, 2)
      })
    )
  )

  it.effect("needs an approval if others read along, and sends nothing before it", () =>
    Grove.run(
      Effect.gen(function* () {
        const person = Person.make()
        let before = -1
        const opened = yield* Grove.open({
          readers: "others",
          ask: (request) =>
            Effect.suspend(() => {
              person.asked.push(request)
              before = messages(opened.events).length
              return World.approve()
            }),
          cast: { go: [sendMessage("to all"), text("ok")] }
        })
        yield* opened.session.run(World.say("go"))
        assert.strictEqual(person.asked[0].tier, "System")
        assert.deepStrictEqual([before, messages(opened.events).length], [0, 1])
      })
    )
  )

  const refused = (options: Pick<Grove.Options, "withoutChannel" | "readers">) =>
    Effect.gen(function* () {
      const { events, session } = yield* Grove.open({ ...options, cast: { go: [sendMessage("hello"), text("ok")] } })
      yield* session.run(World.say("go"))
      assert.deepStrictEqual(messages(events), [])
      const [{ outcome }] = yield* Grove.bodies(session.sessionId, "CallEnded")
      return JSON.stringify(outcome)
    })

  it.effect("is refused before any of its code runs if the tree has no channel, or one that shows no messages", () =>
    Grove.run(
      Effect.gen(function* () {
        const reason = /PermissionDenied.*this Main session has no Channel, which send_message needs/
        assert.match(yield* refused({ withoutChannel: true, readers: "owner" }), reason)
        assert.match(yield* refused({}), reason)
      })
    )
  )

  it.effect("a Worker does not have it, even if the tool is forced upon it", () =>
    Grove.run(
      Effect.gen(function* () {
        const { events, session } = yield* Grove.open({
          readers: "owner",
          cast: {
            go: [toolCall("spawn_worker", { task: "errand" }), waitsFor, text("ok")],
            errand: [sendMessage("psst"), text("I cannot")]
          }
        })
        yield* session.run(World.say("go"))
        assert.deepStrictEqual(messages(events), [])
        const [{ childId }] = yield* Grove.bodies(session.sessionId, "ChildSpawned")
        const [{ outcome }] = yield* Grove.bodies(childId, "CallEnded")
        assert.match(
          JSON.stringify(outcome),
          /PermissionDenied.*this Worker session does not hold send_message: held by another kind/
        )
      })
    )
  )
})
