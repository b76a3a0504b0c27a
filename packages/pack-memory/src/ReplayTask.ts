/** `replay_task`: returns the messages of an earlier session. */
import { Session } from "@bough/protocol"
import { Capability, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { FromSeq, Limit, NextSeq, formatPage } from "./internal/page.ts"

export const ReplayTask = Tool.make("replay_task", {
  version: 1,
  description: "Read what was said in an earlier task",
  tier: "ReadOnly",
  replay: "Safe",
  capabilities: [Capability.History],
  parameters: Schema.Struct({ taskId: Schema.NonEmptyString, fromSeq: FromSeq, limit: Limit }),
  output: Schema.Struct({
    messages: Schema.Array(
      Schema.Struct({ seq: Schema.Natural, from: Schema.Literals(["user", "agent", "tool"]), text: Schema.String })
    ),
    nextSeq: NextSeq
  }),
  forModel: ({ messages, nextSeq }) =>
    formatPage(
      messages.map(({ from, seq, text }) => `[${seq}] ${from}: ${text}`),
      nextSeq
    ),
  execute: Effect.fnUntraced(function* ({ fromSeq, limit, taskId }) {
    const history = yield* Capability.History
    const { items, nextSeq } = yield* history.replay(Session.SessionId.make(taskId), { fromSeq, limit })
    return Tool.result({ output: { messages: items, nextSeq }, display: `Read ${items.length} messages of ${taskId}` })
  })
})
