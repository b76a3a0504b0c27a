/** Tests of known secrets in the model's output: none is recorded, shown or run. */
import type { Event } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redaction from "../../../dispatch/src/Redaction.ts"
import { type Session, SessionStore } from "../../src/index.ts"
import * as Reply from "../../src/testing/Reply.ts"
import * as ScriptedModel from "../../src/testing/ScriptedModel.ts"
import * as World from "./world.ts"

const secret = "sk-live-0123456789"
const redaction = Redaction.make([secret, 'quo"ted-secret'])

/** Plays the reply, and returns the content of the journal, of live events and of the next prompt. */
const play = (reply: Reply.Reply) =>
  Effect.gen(function* () {
    const world = World.makeWorld()
    const scripted = yield* ScriptedModel.make([reply, Reply.text("done")])
    const events: Array<Event.Event> = []
    const agent = World.agentOf(world, { redaction })
    const session = yield* World.openSession({ agent, scripted, channel: World.channelOf(events, null) })
    const result = yield* session.run(World.say("go"))
    const store = yield* SessionStore.SessionStore
    const entries = yield* store.entries(session.sessionId, 0, 100)
    return { world, entries, events, result, prompts: yield* scripted.script.prompts }
  }).pipe(Effect.scoped, Effect.provide(World.stores))

const holdsNone = (value: unknown): void => {
  const text = JSON.stringify(value)
  assert.isFalse(redaction.holdsSecret(text), text)
}

const deltasOf = (events: ReadonlyArray<Event.Event>, tag: "TextDelta" | "ReasoningDelta"): string =>
  events.flatMap((event) => (event._tag === tag && "text" in event ? [event.text] : [])).join("")

const escaped = secret.replaceAll(/./g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

describe("a known secret in the model's output", () => {
  it.effect("is in no entry and no event, wherever the stream splits it", () =>
    Effect.gen(function* () {
      for (let at = 0; at <= secret.length; at++) {
        const { entries, events, result } = yield* play([
          { _tag: "Text", text: `the key is ${secret.slice(0, at)}` },
          { _tag: "Text", text: `${secret.slice(at)}, sk-live` },
          Reply.end("stop")
        ])
        holdsNone({ entries, events, result })
        assert.strictEqual(deltasOf(events, "TextDelta"), "the key is [redacted], sk-live")
        assert.strictEqual(result.text, "the key is [redacted], sk-live")
      }
    })
  )

  it.effect("is in no reasoning, whose signature would no longer match", () =>
    Effect.gen(function* () {
      const { entries, events, prompts } = yield* play([
        { _tag: "Reasoning", text: `I read ${secret}`, signature: "signed" },
        { _tag: "Reasoning", text: "harmless", signature: "signed too" },
        { _tag: "Text", text: "hm" },
        { _tag: "ToolCallStart", callId: "#1", name: "look" },
        { _tag: "ToolCallArguments", callId: "#1", text: '{"key":"a"}' },
        Reply.end("toolCalls")
      ])
      holdsNone({ entries, events, prompts })
      assert.strictEqual(deltasOf(events, "ReasoningDelta"), "I read [redacted]harmless")
      const replied = prompts[1].messages.flatMap((message) => (message._tag === "Assistant" ? message.parts : []))
      assert.deepStrictEqual(replied.slice(0, 2), [
        { _tag: "Reasoning", text: "I read [redacted]" },
        { _tag: "Reasoning", text: "harmless", signature: "signed too" }
      ])
    })
  )

  it.effect.each([
    ["as it is", JSON.stringify({ line: `token ${secret}` })],
    ["as JSON spells it", JSON.stringify({ line: 'quo"ted-secret' })],
    ["in escapes", `{"line":"${escaped}"}`],
    ["in a name", `{"${secret}":1}`],
    ["in malformed arguments", `{"line":"${secret}`]
  ])("refuses a call that contains it, which shows it nowhere: %s", ([, written]) =>
    Effect.gen(function* () {
      const { entries, events, prompts, world } = yield* play([
        { _tag: "ToolCallStart", callId: "#1", name: "append" },
        { _tag: "ToolCallArguments", callId: "#1", text: written },
        Reply.end("toolCalls")
      ])
      holdsNone({ entries, events, prompts })
      assert.notInclude(JSON.stringify(entries), escaped.slice(0, 24))
      const [outcome] = entries.flatMap(({ body }) => (body._tag === "CallEnded" ? [body.outcome] : []))
      assert.strictEqual(outcome._tag === "Failed" ? outcome.error._tag : outcome._tag, "PermissionDenied")
      assert.deepStrictEqual(world.log, [])
    })
  )

  it.effect("is in no name of an unknown tool", () =>
    Effect.map(play(Reply.toolCall(secret, {})), ({ entries, events, prompts }) =>
      holdsNone({ entries, events, prompts })
    )
  )

  it.effect("does not include text that only looks redacted: the model may write that", () =>
    Effect.map(play(Reply.toolCall("append", { line: "[redacted]" })), ({ world }) =>
      assert.deepStrictEqual(world.log, ["append [redacted]"])
    )
  )

  it.effect("is in no part of a reply that breaks off", () =>
    Effect.gen(function* () {
      const world = World.makeWorld()
      const scripted = yield* ScriptedModel.make([[{ _tag: "Text", text: `so: ${secret} sk-live-` }]])
      const events: Array<Event.Event> = []
      const agent = World.agentOf(world, { redaction })
      const session = yield* World.openSession({ agent, scripted, channel: World.channelOf(events, null) })
      yield* Effect.exit(session.run(World.say("go")))
      const entries = yield* (yield* SessionStore.SessionStore).entries(session.sessionId, 0, 100)
      holdsNone({ entries, events })
      assert.include(JSON.stringify(entries), "so: [redacted] sk-live-")
      assert.strictEqual(deltasOf(events, "TextDelta"), "so: [redacted] sk-live-")
    }).pipe(Effect.scoped, Effect.provide(World.stores))
  )
})

describe("a secret in a user's message", () => {
  const token = "ghp_aZ4kQ9xB2mW7rT1nV6cY3hL8pD5gS0jFq2Ws"
  const play = (say: (session: Session.Session) => Effect.Effect<unknown, unknown, SessionStore.SessionStore>) =>
    Effect.gen(function* () {
      const scripted = yield* ScriptedModel.make([Reply.text("one"), Reply.text("two")])
      const events: Array<Event.Event> = []
      const agent = World.agentOf(World.makeWorld(), { redaction })
      const session = yield* World.openSession({ agent, scripted, channel: World.channelOf(events, null) })
      yield* say(session)
      const store = yield* SessionStore.SessionStore
      return {
        stored: {
          entries: yield* store.entries(session.sessionId, 0, 100),
          rows: yield* store.inbox(session.sessionId)
        },
        prompts: yield* scripted.script.prompts,
        notices: events.flatMap((event) => (event._tag === "Notice" ? [event.message] : []))
      }
    }).pipe(Effect.scoped, Effect.provide(World.stores))

  it.effect("reaches neither the journal nor the inbox nor the model, and a notice names it", () =>
    Effect.gen(function* () {
      const { notices, prompts, stored } = yield* play((session) =>
        session.run(World.say(`deploy with ${token} and ${Buffer.from(secret).toString("base64")}`))
      )
      holdsNone({ prompts, stored })
      assert.notInclude(JSON.stringify({ prompts, stored }), token)
      assert.deepStrictEqual(notices, ["hidden in your message before it was stored or sent: github, a secret"])
      assert.include(JSON.stringify(prompts), "deploy with [hidden: github] and [redacted]")
    })
  )

  it.effect("is also hidden in steering, and a message without a secret has no notice", () =>
    Effect.gen(function* () {
      const { notices, prompts, stored } = yield* play((session) =>
        Effect.andThen(session.steer(`use ${secret}`), session.run(World.say("go on")))
      )
      holdsNone({ prompts, stored })
      assert.strictEqual(notices.length, 1)
      assert.deepStrictEqual((yield* play((session) => session.run(World.say("go")))).notices, [])
    })
  )

  it.effect("is also hidden if another process has put it into the inbox", () =>
    Effect.gen(function* () {
      const { prompts, stored } = yield* play((session) =>
        Effect.gen(function* () {
          const store = yield* SessionStore.SessionStore
          yield* session.run(World.say("go"))
          yield* store.submit({
            treeId: session.sessionId,
            dedupeKey: "other",
            command: { _tag: "SendMessage", sessionId: session.sessionId, text: `use ${secret}`, media: [] },
            principal: "ada"
          })
          yield* session.resume
        })
      )
      holdsNone({ prompts, entries: stored.entries })
      assert.strictEqual(prompts.length, 2)
    })
  )
})
