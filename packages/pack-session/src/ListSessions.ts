/** `list_sessions`: lists the sessions that this one has started. */
import { Capability, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { ChildRow, formatRow, rowOf } from "./ChildRow.ts"

export const ListSessions = Tool.make("list_sessions", {
  version: 1,
  description: "List the sessions that you started",
  tier: "Workspace",
  replay: "Safe",
  capabilities: [Capability.Spawn],
  parameters: Schema.Struct({}),
  output: Schema.Struct({ sessions: Schema.Array(ChildRow) }),
  forModel: ({ sessions }) => (sessions.length === 0 ? "[no sessions]" : sessions.map(formatRow).join("\n")),
  execute: Effect.fnUntraced(function* () {
    const spawn = yield* Capability.Spawn
    const children = yield* spawn.list()
    const live = children.filter(({ result }) => result === null).length
    return Tool.result({
      output: { sessions: children.map(rowOf) },
      display: `${children.length} sessions, ${live} of them live`
    })
  })
})
