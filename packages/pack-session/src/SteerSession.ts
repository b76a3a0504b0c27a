/** `steer_session`: sends a message to a running session. */
import { Capability, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { ChildRow, formatRow, rowOf } from "./ChildRow.ts"

export const SteerSession = Tool.make("steer_session", {
  version: 1,
  description: "Tell a session that you started something; it reads it before its next step",
  tier: "Workspace",
  replay: "Idempotent",
  capabilities: [Capability.Spawn],
  parameters: Schema.Struct({ session: Schema.String, text: Schema.NonEmptyString }),
  output: ChildRow,
  forModel: formatRow,
  execute: Effect.fnUntraced(function* ({ session, text }) {
    const spawn = yield* Capability.Spawn
    const child = yield* spawn.steer(session, text)
    return Tool.result({ output: rowOf(child), display: `Told ${child.title}: ${text.split("\n", 1)[0]}` })
  })
})
