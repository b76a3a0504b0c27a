/** `set_env`: sets one environment variable of this session. */
import { Capability, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { VariableName } from "./internal/variableName.ts"

const maxLength = 8192

export const SetEnv = Tool.make("set_env", {
  version: 1,
  description: "Set a variable for get_env and for sandboxed commands of this session; lost at a restart",
  tier: "Workspace",
  replay: "Idempotent",
  capabilities: [Capability.Environment],
  parameters: Schema.Struct({ name: VariableName, value: Schema.String.check(Schema.isMaxLength(maxLength)) }),
  output: Schema.Struct({ previous: Schema.NullOr(Schema.String) }),
  forModel: ({ previous }) => (previous === null ? "Set" : `Set; it was ${previous}`),
  execute: Effect.fnUntraced(function* ({ name, value }) {
    const environment = yield* Capability.Environment
    const previous = yield* environment.set(name, value)
    return Tool.result({ output: { previous: previous?.value ?? null }, display: `Set ${name} for this session` })
  })
})
