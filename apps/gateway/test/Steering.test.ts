/** Messages that arrive while a turn runs: one joins it, another waits for its end. */
import type { Model } from "@bough/runtime"
import { Reply } from "@bough/runtime/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { entriesOf, untilSaid } from "./Events.ts"
import * as Gateway from "./Gateway.ts"

/** A model whose first step is a call, which it makes once the gate is open, and whose other steps repeat the request. */
const gated = (gate: Deferred.Deferred<void>, begun: Deferred.Deferred<void>): Model.Model["Service"] => ({
  name: "test/gated",
  contextTokens: null,
  priced: false,
  stream: ({ messages }) => {
    const texts = messages.flatMap((message) =>
      message._tag === "User" && !message.text.startsWith("<context") ? [message.text] : []
    )
    const reply = (input: Reply.Reply) => Stream.fromIterable(input as ReadonlyArray<Model.ModelPart>)
    if (messages.some(({ _tag }) => _tag === "ToolResult")) return reply(Reply.text(`I read: ${texts.join(", ")}`))
    return Stream.unwrap(
      Deferred.succeed(begun, undefined).pipe(
        Effect.andThen(Deferred.await(gate)),
        Effect.as(reply(Reply.toolCall("list_directory", { path: "." })))
      )
    )
  }
})

describe("a message to a running turn", () => {
  it.live("joins it before its next step if it steers, and else waits for its end", () =>
    Effect.gen(function* () {
      const [gate, begun] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const gateway = yield* Gateway.start({ model: () => gated(gate, begun) })
      const token = yield* Gateway.user(gateway, "acme/ada")
      const sessionId: string = (yield* gateway.request("/api/v1/sessions", { token, body: {} })).json.id
      const send = (text: string, delivery: string) =>
        gateway.request(`/api/v1/sessions/${sessionId}/messages`, {
          token,
          body: { text, delivery },
          headers: { "idempotency-key": text.replaceAll(" ", "-") }
        })
      yield* send("begin", "queue")
      yield* Deferred.await(begun)
      yield* send("later", "queue")
      assert.deepStrictEqual((yield* send("turn left", "steer")).json, { inserted: true })
      assert.deepStrictEqual((yield* send("turn left", "steer")).json, { inserted: true })
      yield* Deferred.succeed(gate, undefined)
      const frames = yield* untilSaid(gateway, { token, sessionId }, "I read: begin, turn left, later")
      const userMessages = entriesOf(frames).flatMap(({ body }) =>
        body._tag === "UserMessage"
          ? [body.text]
          : body._tag === "ModelReplied"
            ? body.parts.flatMap((part) => (part._tag === "Text" ? [part.text] : [part._tag]))
            : []
      )
      assert.deepStrictEqual(userMessages, [
        "begin",
        "ToolCall",
        "turn left",
        "I read: begin, turn left",
        "later",
        "I read: begin, turn left, later"
      ])
    })
  )
})
