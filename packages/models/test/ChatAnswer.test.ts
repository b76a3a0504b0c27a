/** Tests of parsing the events of a chat completion, in the variants of different servers. */
import type { LanguageModelV4StreamPart } from "@ai-sdk/provider"
import {
  ask,
  assistant,
  calls,
  end,
  prompt,
  reasoning,
  text,
  toolCall,
  toolResult,
  user
} from "@bough/runtime/testing/ModelProbe"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as ChatAnswer from "../src/ChatAnswer.ts"
import * as ChatServer from "./ChatServer.ts"
import * as Tiny from "./wire/Tiny.ts"

const { delta, events } = ChatServer
const toolsDone = delta({}, "tool_calls")

const read = (chunks: ReadonlyArray<unknown>): ReadonlyArray<LanguageModelV4StreamPart> => {
  const reader = ChatAnswer.reader()
  return [...chunks.flatMap((chunk) => reader.event(JSON.stringify(chunk))), ...reader.end()]
}

const fragment = (fields: Record<string, unknown>) => delta({ tool_calls: [fields] })

interface WrittenCall {
  readonly name: string
  readonly fragments: ReadonlyArray<string>
}

/** One call in the variant of that server: its start, then its fragments. */
const manners = {
  "gives each call its index": ({ name, fragments: [first = "", ...rest] }: WrittenCall, index: number) => [
    fragment({ index, id: `c${index}`, function: { name, arguments: first } }),
    ...rest.map((text) => fragment({ index, function: { arguments: text } }))
  ],
  "repeats id and name with each fragment": ({ fragments, name }: WrittenCall, index: number) =>
    ["", ...fragments].map((text) => fragment({ index, id: `c${index}`, function: { name, arguments: text } })),
  "gives the name last": ({ fragments, name }: WrittenCall, index: number) => [
    ...fragments.map((text) => fragment({ index, id: `c${index}`, function: { arguments: text } })),
    fragment({ index, function: { name } })
  ],
  "gives all calls one index": ({ name, fragments }: WrittenCall, index: number) => [
    fragment({ index: 0, id: `c${index}`, function: { name, arguments: "" } }),
    ...fragments.map((text) => fragment({ index: 0, function: { arguments: text } }))
  ],
  "gives ids and no index": ({ name, fragments }: WrittenCall, index: number) => [
    fragment({ id: `c${index}`, function: { name, arguments: "" } }),
    ...fragments.map((text) => fragment({ id: `c${index}`, function: { arguments: text } }))
  ],
  "gives neither ids nor an index": ({ name, fragments }: WrittenCall) => [
    fragment({ function: { name, arguments: "" } }),
    ...fragments.map((text) => fragment({ function: { arguments: text } }))
  ],
  "gives all calls one id": ({ name, fragments }: WrittenCall, index: number) => [
    fragment({ index, id: "same", function: { name, arguments: "" } }),
    ...fragments.map((text) => fragment({ index, function: { arguments: text } }))
  ]
}

const Calls = Schema.Array(
  Schema.Struct({ name: Schema.Literals(["read_file", "now"]), fragments: Schema.Array(Schema.String) })
)

describe("ChatAnswer", () => {
  for (const [manner, write] of Object.entries(manners)) {
    it.prop(`assembles calls if a server ${manner}`, [Calls], ([written]) => {
      const parts = read([...written.flatMap(write), toolsDone])
      const whole = parts.flatMap((part) => (part.type === "tool-call" ? [part] : []))
      assert.deepStrictEqual(
        whole.map(({ input, toolName }) => ({ name: toolName, input })),
        written.map(({ fragments, name }) => ({ name, input: fragments.join("") }))
      )
      const ids = whole.map(({ toolCallId }) => toolCallId)
      assert.strictEqual(new Set(ids).size, ids.length)
      assert.isFalse(ids.includes(""))
      for (const { input, toolCallId } of whole) {
        const sent = parts.flatMap((part) =>
          part.type === "tool-input-delta" && part.id === toolCallId ? [part.delta] : []
        )
        assert.strictEqual(sent.join(""), input)
      }
    })
  }

  it.live("accepts text and reasoning as lists of parts, and ignores unknown ones", () =>
    Effect.gen(function* () {
      const reply = yield* answered([
        delta({ content: [{ type: "thinking", thinking: [{ type: "text", text: "hm" }] }] }),
        delta({
          content: [
            { type: "text", text: "Hel" },
            { type: "reference", ids: [1] }
          ]
        }),
        delta({ content: "lo", refusal: false, reasoning: null }),
        delta({}, "stop")
      ])
      assert.strictEqual(reasoning(reply), "hm")
      assert.strictEqual(text(reply), "Hello")
      assert.strictEqual(end(reply)?.reason, "stop")
    })
  )

  it.live("reports a refused answer, with the model's own text", () =>
    Effect.gen(function* () {
      const reply = yield* answered([delta({ refusal: "I will not." }), delta({}, "stop")])
      assert.strictEqual(text(reply), "I will not.")
      assert.strictEqual(end(reply)?.reason, "filtered")
    })
  )

  it.live.each([
    ["is not a chat completion", { hello: 1 }],
    ["has text that is a number", delta({ reasoning_content: 7 })],
    ["has a call without a name", fragment({ index: 0, id: "a", function: { arguments: "{}" } })]
  ])("an event that %s is an error", ([, event]) =>
    Effect.gen(function* () {
      const reply = yield* answered([event, toolsDone])
      assert.strictEqual(reply.error?.reason, "BadResponse")
      assert.isUndefined(end(reply))
    })
  )

  it.live("returns the signature of a call with the call", () =>
    Effect.gen(function* () {
      const signed = fragment({
        index: 0,
        id: "a",
        function: { name: "read_file", arguments: `{"path":"x"}` },
        extra_content: { google: { thought_signature: "s1g" } }
      })
      const server = yield* ChatServer.start(
        ChatServer.inTurn([events([signed, toolsDone]), events([delta({ content: "ok" }), delta({}, "stop")])])
      )
      const model = yield* Tiny.connect(server.baseUrl)
      const first = yield* ask(model, prompt("go", ["read_file"]))
      assert.deepStrictEqual(calls(first), [{ id: "a", name: "read_file", arguments: `{"path":"x"}` }])
      const signature = first.parts.flatMap((part) =>
        part._tag === "ToolCallArguments" && part.signature !== undefined ? [part.signature] : []
      )
      assert.strictEqual(signature.length, 1)
      const call = { ...toolCall("a", "read_file", { path: "x" }), signature: signature[0] }
      yield* ask(model, prompt([user("go"), assistant(call), toolResult("a", "read_file", "content")], ["read_file"]))
      const [, message] = server.received[1].body.messages.slice(1)
      assert.deepStrictEqual(message, {
        role: "assistant",
        content: null,
        tool_calls: [
          {
            id: "a",
            type: "function",
            function: { name: "read_file", arguments: `{"path":"x"}` },
            extra_content: { google: { thought_signature: "s1g" } }
          }
        ]
      })
    }).pipe(Effect.scoped)
  )
})

const answered = Effect.fnUntraced(function* (chunks: ReadonlyArray<unknown>) {
  const server = yield* ChatServer.start(events(chunks))
  return yield* ask(yield* Tiny.connect(server.baseUrl), prompt("go", ["read_file"]))
}, Effect.scoped)
