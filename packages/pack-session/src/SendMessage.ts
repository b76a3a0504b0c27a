/** `send_message`: sends a message to the users of the session now. */
import { Capability, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

export const SendMessage = Tool.make("send_message", {
  version: 1,
  description:
    "Tell the person something now, such as progress of long work; there is no reply, and your final answer reaches them anyway",
  tier: "System",
  replay: "Idempotent",
  egress: { texts: ({ text }) => [text] },
  capabilities: [Capability.Channel],
  parameters: Schema.Struct({ text: Schema.NonEmptyString }),
  output: Schema.Struct({ messageId: Schema.String, channel: Schema.String }),
  forModel: ({ channel, messageId }) => `Sent ${messageId} to the ${channel}`,
  execute: Effect.fnUntraced(function* ({ text }) {
    const people = yield* Capability.Channel
    const sent = yield* people.send(text)
    return Tool.result({
      output: sent,
      display: `Sent a message to the ${sent.channel}`,
      artifacts: [{ _tag: "MessageSent", ...sent }]
    })
  })
})
