/** The `hooks` of a configuration file: commands by the event that runs them. */
import * as Schema from "effect/Schema"
import { describe } from "../ConfigFields.ts"

const fields = {
  command: Schema.NonEmptyString.annotate({
    description: "Command line for sh; it reads JSON from stdin and may answer with JSON"
  }),
  timeoutSeconds: describe(
    Schema.Finite.check(Schema.isGreaterThan(0), Schema.isLessThanOrEqualTo(600)),
    "Seconds until the hook counts as failed; default 10"
  ),
  onFailure: describe(
    Schema.Literals(["continue", "deny"]),
    "Effect of a failed hook; default: deny before a tool and at a prompt, else continue"
  )
}
const tools = describe(
  Schema.Array(Schema.NonEmptyString),
  "Names of tools; a * at the end matches any suffix; default: all"
)
const runAs = describe(
  Schema.Literals(["sandbox", "operator"]),
  "Where the hook runs: in the sandbox of the agent's commands (sandbox, the default), or outside of it with your own rights (operator)"
)

const events = <S extends Schema.Top, T extends Schema.Top>(ofTools: S, others: T) =>
  Schema.Struct({
    beforeTool: describe(Schema.Array(ofTools), "Hooks before a tool call; they may deny it or require an approval"),
    afterTool: describe(Schema.Array(ofTools), "Hooks after a tool call; they may change its files"),
    prompt: describe(Schema.Array(others), "Hooks on a message of the user; they may deny it"),
    stop: describe(Schema.Array(others), "Hooks at the end of a turn; they may have the agent continue"),
    sessionStart: describe(Schema.Array(others), "Hooks at the first message of a session; they may deny it")
  })

/** A project's hooks never run as the operator. */
export const forProject = describe(
  events(Schema.Struct({ ...fields, tools }), Schema.Struct(fields)),
  "Commands that run at certain moments of a session; they run in the sandbox"
)
export const forUser = describe(
  events(Schema.Struct({ ...fields, tools, runAs }), Schema.Struct({ ...fields, runAs })),
  "Commands that run at certain moments of a session"
)
export type ConfiguredHooks = Exclude<(typeof forUser)["Type"], undefined>
