/** `use_tools`: declares tools that the system prompt only names. What it declared is read back from its result. */
import { ToolError } from "@bough/protocol"
import { Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { useToolsName } from "../journal/SessionState.ts"

/** The parameters of the tool `use_tools`: the names of the tools to declare. */
export const parameters = Schema.Struct({ names: Schema.NonEmptyArray(Schema.String) })

/** Makes the tool for these names; null if there are none. */
export const make = (names: ReadonlyArray<string>): Tool.Any | null =>
  names.length === 0
    ? null
    : Tool.make(useToolsName, {
        version: 1,
        description: "Declare more tools by name; call them in the next step",
        tier: "ReadOnly",
        replay: "Safe",
        capabilities: [],
        parameters,
        output: Schema.Struct({ declared: Schema.Array(Schema.String) }),
        forModel: ({ declared }) => `Declared ${declared.join(", ")}`,
        execute: ({ names: wanted }) => {
          const issues = wanted.flatMap((name, index) =>
            names.includes(name) ? [] : [{ path: `names.${index}`, message: `no tool ${name} to declare` }]
          )
          return issues.length === 0
            ? Effect.succeed(Tool.result({ output: { declared: wanted }, display: `Declared ${wanted.join(", ")}` }))
            : Effect.fail(
                new ToolError.ValidationError({
                  message: `there is ${names.join(", ")}`,
                  field: issues[0].path,
                  issues
                })
              )
        }
      })
