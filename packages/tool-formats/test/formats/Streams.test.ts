/** Tests of calls that stream: events as the providers' public documentation shows them, and fragments of any size. */
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { dialects } from "../../src/Dialects.ts"
import * as HarmonyReader from "../../src/harmony/HarmonyReader.ts"
import * as HarmonyText from "../../src/harmony/HarmonyText.ts"
import type { Format } from "../../src/ToolFormat.ts"
import type { Delta } from "../../src/ToolMessage.ts"

const callsOf = (format: Format, events: ReadonlyArray<unknown>): ReadonlyArray<readonly [string, string, string]> => {
  const reader = dialects[format].deltas?.()
  if (reader === undefined) return []
  const all = events.flatMap((event): ReadonlyArray<Delta> => {
    const read = reader.push(event)
    if (Result.isFailure(read)) assert.fail(JSON.stringify(read.failure))
    return read.success
  })
  return all.flatMap((delta) =>
    delta._tag !== "CallStart"
      ? []
      : [
          [
            delta.callId,
            delta.name,
            all.map((one) => (one._tag === "CallArguments" && one.callId === delta.callId ? one.text : "")).join("")
          ] as const
        ]
  )
}

const Sizes = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 9 }))).check(Schema.isMinLength(1))

const fragments = (text: string, sizes: ReadonlyArray<number>): ReadonlyArray<string> => {
  const parts: Array<string> = []
  for (let from = 0; from < text.length;) {
    const to = from + sizes[parts.length % sizes.length]
    parts.push(text.slice(from, to))
    from = to
  }
  return parts
}

describe("Deltas", () => {
  it("reads chunks of chat completions, where only the first fragment of a call names it", () => {
    const chunk = (calls: ReadonlyArray<unknown>) => ({ choices: [{ index: 0, delta: { tool_calls: calls } }] })
    assert.deepStrictEqual(
      callsOf("openai-chat", [
        { choices: [{ index: 0, delta: { role: "assistant", content: null } }] },
        chunk([{ index: 0, id: "call_a", type: "function", function: { name: "get_weather", arguments: "" } }]),
        chunk([{ index: 1, id: "call_b", type: "function", function: { name: "get_time", arguments: '{"z' } }]),
        chunk([{ index: 0, function: { arguments: '{"location":' } }]),
        chunk([
          { index: 1, function: { arguments: '":1}' } },
          { index: 0, function: { arguments: '"Paris"}' } }
        ]),
        { choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] },
        { choices: [], usage: { total_tokens: 5 } }
      ]),
      [
        ["call_a", "get_weather", '{"location":"Paris"}'],
        ["call_b", "get_time", '{"z":1}']
      ]
    )
  })

  it("reads events of Responses, and arguments without fragments", () => {
    const item = (id: string, name: string, parameters: string) => ({
      type: "function_call",
      id: `fc_${id}`,
      call_id: id,
      name,
      arguments: parameters
    })
    assert.deepStrictEqual(
      callsOf("openai", [
        { type: "response.created", response: {} },
        { type: "response.output_item.added", output_index: 0, item: item("call_a", "get_weather", "") },
        { type: "response.function_call_arguments.delta", output_index: 0, delta: '{"location"' },
        { type: "response.function_call_arguments.delta", output_index: 0, delta: ':"Paris"}' },
        { type: "response.function_call_arguments.done", output_index: 0, arguments: '{"location":"Paris"}' },
        {
          type: "response.output_item.done",
          output_index: 0,
          item: item("call_a", "get_weather", '{"location":"Paris"}')
        },
        { type: "response.output_item.done", output_index: 1, item: item("call_b", "get_time", "{}") }
      ]),
      [
        ["call_a", "get_weather", '{"location":"Paris"}'],
        ["call_b", "get_time", "{}"]
      ]
    )
  })

  it("reads events of Anthropic's messages", () => {
    const delta = (text: string) => ({
      type: "content_block_delta",
      index: 1,
      delta: { type: "input_json_delta", partial_json: text }
    })
    assert.deepStrictEqual(
      callsOf("anthropic", [
        { type: "message_start", message: {} },
        { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
        { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "I'll check" } },
        { type: "content_block_stop", index: 0 },
        {
          type: "content_block_start",
          index: 1,
          content_block: { type: "tool_use", id: "toolu_01", name: "get_weather", input: {} }
        },
        delta(""),
        delta('{"location": "San'),
        delta(' Francisco, CA"}'),
        { type: "content_block_stop", index: 1 }
      ]),
      [["toolu_01", "get_weather", '{"location": "San Francisco, CA"}']]
    )
  })

  it("reads chunks of Gemini, whose calls may have no ids", () => {
    const chunk = (parts: ReadonlyArray<unknown>) => ({ candidates: [{ content: { role: "model", parts } }] })
    assert.deepStrictEqual(
      callsOf("gemini", [
        chunk([{ text: "Let me look" }]),
        chunk([{ functionCall: { name: "get_weather", args: { location: "Paris" } }, thoughtSignature: "c2ln" }]),
        chunk([{ functionCall: { id: "fc-1", name: "get_time" } }])
      ]),
      [
        ["call_1", "get_weather", '{"location":"Paris"}'],
        ["fc-1", "get_time", "{}"]
      ]
    )
  })

  it.prop("reads Harmony in fragments of any size as in one piece", [Sizes], ([sizes]) => {
    const reply =
      "<|channel|>analysis<|message|>a < b, a <| b, <|no|><|end|>" +
      "<|start|>assistant<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>" +
      '{"location":"Paris"}<|call|>'
    const whole = callsOf("harmony", [reply])
    assert.deepStrictEqual(whole, [["call_1", "get_weather", '{"location":"Paris"}']])
    assert.deepStrictEqual(callsOf("harmony", fragments(reply, sizes)), whole)
  })
})

describe("HarmonyReader", () => {
  const read = (text: string, role: string | null = null) => {
    const reader = HarmonyReader.make(role)
    return Result.flatMap(reader.push(text), (events) => Result.map(reader.end(), (rest) => [...events, ...rest]))
  }

  it("reads its own rendering: roles, channels, recipients, texts", () => {
    const { losses, value } = HarmonyText.render([
      { role: "system", text: "You are" },
      { role: "user", text: "2 + 2 <|end|>" },
      { role: "assistant", channel: "analysis", text: "Easy" },
      { role: "assistant", channel: "commentary", recipient: "functions.add", text: "[2,2]" },
      { role: "tool", name: "functions.add", text: "4" },
      { role: "assistant", channel: "final", text: "4" }
    ])
    assert.deepStrictEqual(losses, [{ kind: "SpecialToken", at: "messages/1", detail: "<| is written as < |" }])
    const events = Result.getOrThrow(read(value))
    assert.deepStrictEqual(
      events.flatMap((event) =>
        event._tag === "Began" ? [[event.role, event.channel, event.recipient, event.contentType]] : []
      ),
      [
        ["system", null, null, null],
        ["user", null, null, null],
        ["assistant", "analysis", null, null],
        ["assistant", "commentary", "functions.add", "json"],
        ["functions.add", "commentary", "assistant", null],
        ["assistant", "final", null, null]
      ]
    )
    assert.strictEqual(
      events.map((event) => (event._tag === "Text" ? event.text : "|")).join(""),
      "|You are||2 + 2 < |end|>||Easy||[2,2]||4||4|"
    )
  })

  it("accepts a recipient beside the role, as models also write it", () => {
    const [began] = Result.getOrThrow(
      read(" to=functions.add<|channel|>commentary json<|message|>{}<|call|>", "assistant")
    )
    assert.deepStrictEqual(began, {
      _tag: "Began",
      role: "assistant",
      channel: "commentary",
      recipient: "functions.add",
      contentType: "json"
    })
  })

  it.each([
    ["<|start|>assistant<|channel|>final<|message|>cut", "inside a message"],
    ["<|start|>assistant<|start|>", "inside another one"],
    ["no marker", "outside a message"],
    ["<|end|>", "ends no message"],
    [`<|start|>${"x".repeat(2000)}`, "too long"]
  ])("refuses %j", (text, why) => {
    const result = read(text)
    assert.isTrue(Result.isFailure(result) && result.failure.message.includes(why))
  })
})
