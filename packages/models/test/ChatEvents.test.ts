/** Tests of which events of a chat completion are accepted: the guards agree with a schema of the protocol. */
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as ChatAnswer from "../src/ChatAnswer.ts"

const nullish = <S extends Schema.Top>(schema: S) => Schema.optional(Schema.NullOr(schema))

const Call = Schema.Struct({
  index: nullish(Schema.Finite),
  id: nullish(Schema.String),
  function: nullish(Schema.Struct({ name: nullish(Schema.String), arguments: nullish(Schema.String) })),
  extra_content: nullish(
    Schema.Struct({ google: nullish(Schema.Struct({ thought_signature: nullish(Schema.String) })) })
  )
})

const Delta = Schema.Struct({
  content: Schema.optional(Schema.Unknown),
  refusal: Schema.optional(Schema.Unknown),
  reasoning_content: nullish(Schema.String),
  reasoning: nullish(Schema.String),
  tool_calls: nullish(Schema.Array(Call))
})

const Event = Schema.Struct({
  choices: Schema.Array(Schema.Struct({ delta: nullish(Delta), finish_reason: nullish(Schema.String) })),
  usage: Schema.optional(Schema.Unknown)
})

const isEvent = Schema.is(Event)

/** An event with every member. */
const whole = {
  id: "chatcmpl-1",
  choices: [
    {
      index: 0,
      delta: {
        content: "a",
        refusal: false,
        reasoning_content: "b",
        reasoning: "c",
        tool_calls: [
          {
            index: 0,
            id: "call",
            type: "function",
            function: { name: "read_file", arguments: "{}" },
            extra_content: { google: { thought_signature: "s" } }
          }
        ]
      },
      finish_reason: "stop"
    }
  ],
  usage: { prompt_tokens: 1, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 1 } }
}

const others: ReadonlyArray<unknown> = [undefined, null, true, 3, 1.5, "x", [], ["x"], [{}], {}, { a: 1 }]

/** Copies of the value in each of which one value at any depth is replaced by another. */
const variants = (value: unknown): ReadonlyArray<unknown> => [
  ...others,
  ...(typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([name, member]) =>
        variants(member).map((other) =>
          Array.isArray(value) ? value.with(Number(name), other) : { ...value, [name]: other }
        )
      ))
]

const isRefused = (text: string): boolean =>
  ChatAnswer.reader()
    .event(text)
    .some((part) => part.type === "error")

describe("the events of a chat completion", () => {
  it("are refused exactly if the protocol's schema refuses them", () => {
    const texts = [whole, ...variants(whole)].flatMap((event) => JSON.stringify(event) ?? [])
    assert.isAbove(texts.length, 150)
    const wrong = texts.filter((text) => isRefused(text) === isEvent(JSON.parse(text)))
    assert.deepStrictEqual(wrong, [])
    assert.isAbove(texts.filter(isRefused).length, 50)
  })

  it("are refused with an index that no number can hold", () => {
    const event = (index: string): string => `{"choices":[{"delta":{"tool_calls":[{"index":${index}}]}}]}`
    assert.isTrue(isRefused(event("1e999")))
    assert.isFalse(isRefused(event("7")))
  })
})
