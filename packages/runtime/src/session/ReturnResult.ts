/** The tool by which a child returns the output that its parent requested; the schema is checked like any arguments. */
import { ToolError } from "@bough/protocol"
import { Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { returnResultName } from "../journal/SessionState.ts"

/** Makes the tool for the text of a JSON Schema; null: the parent requested no output. */
export const make = Effect.fnUntraced(function* (
  schemaText: string | null
): Effect.fn.Return<Tool.Any | null, ToolError.ValidationError> {
  if (schemaText === null) return null
  const { compile } = yield* Effect.promise(() => import("./OutputSchema.ts"))
  const parameters = compile(JSON.parse(schemaText) as Readonly<Record<string, unknown>>)
  if (Result.isFailure(parameters)) return yield* unfit(parameters.failure)
  const facts = {
    version: 1,
    description: "Give your result and end. Call it once, when the work is done",
    tier: "ReadOnly",
    replay: "Safe",
    capabilities: [],
    parameters: parameters.success,
    output: Schema.Struct({ accepted: Schema.Boolean }),
    forModel: () => "Accepted"
  } as const
  return Tool.fromChecked(returnResultName, facts, {
    execute: () => Effect.succeed(Tool.result({ output: { accepted: true }, display: "Gave its result" }))
  })
})

const unfit = (reason: string): ToolError.ValidationError =>
  new ToolError.ValidationError({
    message: `no output can be checked against that schema: ${reason}`,
    field: "outputSchema",
    issues: [{ path: "outputSchema", message: reason }]
  })
