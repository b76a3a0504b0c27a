/** Tests with any events of a tree: each protocol's stream is accepted by its official client, with the same text. */
import { Session, Usage } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { sampled } from "../../../../test/thorough.ts"
import * as AgUiEvents from "../../src/compatibility/ag-ui/AgUiEvents.ts"
import * as UiMessageStream from "../../src/compatibility/ai-sdk/UiMessageStream.ts"
import * as ChatChunks from "../../src/compatibility/openai/ChatChunks.ts"
import * as ResponseEvents from "../../src/compatibility/openai/ResponseEvents.ts"
import type { Status, TurnEvent } from "../../src/compatibility/TurnEvent.ts"
import * as TurnReader from "../../src/compatibility/TurnReader.ts"
import * as Clients from "./clients.ts"
import { message, Move, play } from "./moves.ts"

const mainId = Session.SessionId.make("main")
const link = (approvalId: string): string => `http://gateway.invalid/#/approvals/${approvalId}`

/** The turn events of these moves, ended by force. */
const eventsOf = (moves: ReadonlyArray<Move>, status: Status): ReadonlyArray<TurnEvent> => {
  const reader = TurnReader.make(mainId, { _tag: "Message", messageId: message })
  const events: Array<TurnEvent> = []
  for (const item of play(moves)) {
    if (item === null) reader.gap()
    else events.push(...reader.event(item))
  }
  const pending = status === "suspended" ? (reader.ending()?.pending ?? []) : []
  const ended = {
    status,
    reason: status === "completed" ? "" : "why",
    error: status === "failed" ? "ModelError" : null
  }
  return [...events, { _tag: "Ended", sessionId: mainId, ...ended, usage: Usage.zero, pending, positions: { main: 1 } }]
}

const textOf = (events: ReadonlyArray<TurnEvent>, ...tags: ReadonlyArray<TurnEvent["_tag"]>): string =>
  events
    .flatMap((event) =>
      event.sessionId === mainId && "text" in event && tags.includes(event._tag) ? [event.text] : []
    )
    .join("")

/** Removes the separators of paragraphs. */
const dense = (text: string): string => text.replace(/\s/gu, "")

const statuses = Schema.Literals(["completed", "suspended", "stopped"])
const moves = Schema.Array(Move)
const runs = { arbitrary: { runs: 200, size: 40 } }

describe("Streams", () => {
  it.effect.prop(
    "Responses",
    [moves, statuses],
    ([given, status]) =>
      Effect.gen(function* () {
        const events = eventsOf(given, status)
        const encoder = ResponseEvents.make({
          mainId,
          responseId: "resp_1",
          previousResponseId: null,
          createdAtSeconds: 1,
          model: "bough",
          metadata: {}
        })
        const wire = [...encoder.start(), ...events.flatMap((event) => encoder.take(event))]
        assert.deepStrictEqual(
          wire.map(({ sequence_number }) => sequence_number),
          wire.map((_, index) => index)
        )
        const response = yield* Effect.promise(() => Clients.readResponse(wire))
        const texts = events.flatMap((event) => {
          if (event._tag === "MessageSent") return [`${event.title}: ${event.text}`]
          return event._tag === "Text" && event.sessionId === mainId ? [event.text] : []
        })
        assert.strictEqual(response.output_text, texts.join(""))
        // The deltas, the ends of the items and the full response have the same text.
        const { output } = encoder.response()
        const done = wire
          .filter(({ type }) => type === "response.output_item.done")
          .map((event) => [event["output_index"], event["item"]])
        assert.deepStrictEqual(Object.entries(Object.fromEntries(done)), Object.entries(output))
        const pieces = wire.filter(({ type }) => type === "response.output_text.delta").map((event) => event["delta"])
        assert.strictEqual(pieces.join(""), response.output_text)
        assert.isEmpty(response.output.filter((item) => "status" in item && item.status === "in_progress"))
      }),
    sampled(runs)
  )

  it.effect.prop(
    "chat completions",
    [moves, statuses],
    ([given, status]) =>
      Effect.gen(function* () {
        const events = eventsOf(given, status)
        const encoder = ChatChunks.make({
          mainId,
          completionId: "chatcmpl-1",
          createdAtSeconds: 1,
          model: "bough",
          includesUsage: true,
          link
        })
        const wire = [...encoder.start(), ...events.flatMap((event) => encoder.take(event))]
        const completion = yield* Effect.promise(() => Clients.readChat(wire))
        assert.strictEqual(completion.choices[0].message.content ?? "", encoder.totals.content)
        for (const request of events.flatMap((event) => (event._tag === "ApprovalAsked" ? [event.request] : []))) {
          assert.include(encoder.totals.content, link(request.approvalId))
        }
      }),
    sampled(runs)
  )

  it.effect.prop(
    "the UI message stream",
    [moves, statuses],
    ([given, status]) =>
      Effect.gen(function* () {
        const events = eventsOf(given, status)
        const encoder = UiMessageStream.make({ mainId, messageId: "m1", known: new Set(), link })
        const wire = [...encoder.start(), ...events.flatMap((event) => encoder.take(event))]
        const read = yield* Effect.promise(() => Clients.readUiMessage(wire))
        const answerText = read.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("")
        assert.strictEqual(
          dense(answerText),
          dense(
            events
              .flatMap((event) => {
                if (event._tag === "MessageSent") return [`${event.title}: ${event.text}`]
                return event._tag === "Text" && event.sessionId === mainId ? [event.text] : []
              })
              .join("")
          )
        )
        const reasoned = read.parts.flatMap((part) => (part.type === "reasoning" ? [part.text] : [])).join("")
        assert.strictEqual(reasoned, textOf(events, "Reasoning"))
        assert.isEmpty(read.parts.filter((part) => "state" in part && part.state === "streaming"))
      }),
    sampled(runs)
  )

  it.effect.prop(
    "AG-UI",
    [moves, statuses],
    ([given, status]) =>
      Effect.gen(function* () {
        const events = eventsOf(given, status)
        const encoder = AgUiEvents.make({
          mainId,
          threadId: "t",
          runId: "r",
          state: { own: 1 },
          known: new Set(),
          link
        })
        const wire = [...encoder.start(), ...events.flatMap((event) => encoder.take(event))]
        const { agent, finished } = yield* Effect.promise(() => Clients.runAgent(wire))
        assert.isDefined(finished)
        assert.strictEqual(agent.state.own, 1)
        const texts = agent.messages.flatMap((held) =>
          held.role === "assistant" && held.subagentRunId === undefined && held.name === undefined
            ? [held.content ?? ""]
            : []
        )
        assert.strictEqual(
          dense(texts.join("")),
          dense(
            events
              .flatMap((event) => (event._tag === "Text" && event.sessionId === mainId ? [event.text] : []))
              .join("")
          )
        )
      }),
    runs
  )
})
