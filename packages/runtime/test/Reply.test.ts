/** Replies assembled from parts. */
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import type { ModelPart } from "../src/ports/Model.ts"
import * as Reply from "../src/ports/Reply.ts"

const at = { turn: 1, step: 2 }

const assembled = (parts: ReadonlyArray<ModelPart>) => {
  const state = Reply.empty()
  for (const part of parts) Reply.append(state, part)
  return Reply.parts(state, at)
}

const Fragments = Schema.Array(Schema.Struct({ call: Schema.Literals(["a", "b", "c"]), text: Schema.String }))

describe("Reply", () => {
  it.prop(
    "alternating fragments of calls are assembled in the call that they name, in order",
    [Fragments],
    ([fragments]) => {
      const parts = assembled([
        ...["a", "b", "c"].map((callId): ModelPart => ({ _tag: "ToolCallStart", callId, name: `tool_${callId}` })),
        ...fragments.map(({ call, text }): ModelPart => ({ _tag: "ToolCallArguments", callId: call, text }))
      ])
      for (const [index, call] of ["a", "b", "c"].entries()) {
        const expected = fragments
          .flatMap((fragment) => (fragment.call === call ? [fragment.text] : []))
          .join("")
          .toWellFormed()
        const part = parts[index]
        assert.strictEqual(part._tag === "ToolCall" ? part.arguments : null, expected)
      }
    }
  )

  it("parts keep the order in which they started, and calls are named by position", () => {
    const parts = assembled([
      { _tag: "Reasoning", text: "hm" },
      { _tag: "Text", text: "I " },
      { _tag: "ToolCallStart", callId: "x", name: "look" },
      { _tag: "Text", text: "look" },
      { _tag: "ToolCallStart", callId: "y", name: "look" }
    ])
    assert.deepStrictEqual(
      parts.map((part) => (part._tag === "ToolCall" ? part.toolCallId : part.text)),
      ["hm", "I ", "t1s2c0", "look", "t1s2c1"]
    )
  })

  it("a signature closes its reasoning", () => {
    const parts = assembled([
      { _tag: "Reasoning", text: "a", signature: "s1" },
      { _tag: "Reasoning", text: "b" }
    ])
    assert.deepStrictEqual(parts, [
      { _tag: "Reasoning", text: "a", signature: "s1" },
      { _tag: "Reasoning", text: "b" }
    ])
  })

  it("a call keeps the signature that came with its arguments, and has none otherwise", () => {
    const parts = assembled([
      { _tag: "ToolCallStart", callId: "x", name: "look" },
      { _tag: "ToolCallStart", callId: "y", name: "look" },
      { _tag: "ToolCallArguments", callId: "x", text: "{}" },
      { _tag: "ToolCallArguments", callId: "x", text: "", signature: "s1" },
      { _tag: "ToolCallArguments", callId: "y", text: "{}" }
    ])
    assert.deepStrictEqual(
      parts.map((part) => (part._tag === "ToolCall" ? [part.arguments, part.signature] : [])),
      [
        ["{}", "s1"],
        ["{}", undefined]
      ]
    )
    assert.isFalse("signature" in parts[1])
  })

  it("arguments of a call that never started are dropped", () => {
    assert.deepStrictEqual(assembled([{ _tag: "ToolCallArguments", callId: "ghost", text: "{}" }]), [])
  })
})
