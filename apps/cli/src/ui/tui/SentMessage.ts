/** The message that a call sent to the user, from the entry of the call's end. No entry is made for the message. Pure. */
import type { Entry } from "@bough/protocol"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Block } from "./Block.ts"
import type { Transcript } from "./Transcript.ts"

const textIn = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Struct({ text: Schema.String })))

export const blocks = (
  { receipt, toolCallId }: Entry.BodyOf<"CallEnded">,
  { calls, title }: Transcript
): ReadonlyArray<Block> => {
  if (receipt?.artifacts.some(({ _tag }) => _tag === "MessageSent") !== true) return []
  const call = calls.find((open) => open.toolCallId === toolCallId)
  return Option.match(textIn(call?.arguments ?? receipt.arguments ?? ""), {
    onNone: () => [],
    onSome: ({ text }): ReadonlyArray<Block> => [{ _tag: "Message", from: { kind: "Main", title }, text }]
  })
}
