/** `get_env`: one environment variable; the session's own take precedence over those of the process. */
import { Capability, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { VariableName } from "./internal/variableName.ts"

export const GetEnv = Tool.make("get_env", {
  version: 1,
  description: "Read an environment variable; secrets are not shown",
  tier: "Workspace",
  replay: "Safe",
  capabilities: [Capability.Environment],
  parameters: Schema.Struct({ name: VariableName }),
  /**
   * `from`: set by set_env in this session, or the process's own. `value` null: the variable is not set, or hidden from
   * tools.
   */
  output: Schema.Struct({
    value: Schema.NullOr(Schema.String),
    from: Schema.optionalKey(Schema.Literals(["session", "process"]))
  }),
  forModel: ({ value }) => value ?? "[not set, or hidden from tools]",
  execute: Effect.fnUntraced(function* ({ name }) {
    const environment = yield* Capability.Environment
    const variable = yield* environment.get(name)
    return variable === null
      ? Tool.result({ output: { value: null }, display: `${name} is not set, or hidden from tools` })
      : Tool.result({ output: { value: variable.value, from: variable.from }, display: `Read ${name}` })
  })
})
