/** `cancel_session`: ends a child session that is no longer needed. */
import { Capability, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { ChildRow, formatRow, rowOf } from "./ChildRow.ts"

export const CancelSession = Tool.make("cancel_session", {
  version: 1,
  description: "End a session that you started; its current call gets a moment to finish",
  tier: "Workspace",
  replay: "Idempotent",
  capabilities: [Capability.Spawn],
  parameters: Schema.Struct({
    session: Schema.String,
    reason: Schema.String.pipe(Schema.withDecodingDefaultKey(Effect.succeed("no longer needed")))
  }),
  output: ChildRow,
  forModel: formatRow,
  execute: Effect.fnUntraced(function* ({ reason, session }) {
    const spawn = yield* Capability.Spawn
    const child = yield* spawn.cancel(session, reason)
    return Tool.result({ output: rowOf(child), display: `Cancelled ${child.title}` })
  })
})
