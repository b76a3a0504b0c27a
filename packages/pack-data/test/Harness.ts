/** Runs one tool as the dispatcher would after its checks. */
import type { ToolError } from "@bough/protocol"
import { Capability, type Environment, Invocation, Progress, type Tool } from "@bough/tool"
import { SampleInvocation } from "@bough/tool/testing"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"

const always = Layer.mergeAll(
  Layer.succeed(Progress.Progress, { report: () => Effect.void }),
  Layer.succeed(Invocation.Invocation, SampleInvocation.make())
)

const nothingSet: Environment.Environment["Service"] = {
  get: () => Effect.succeed(null),
  set: () => Effect.succeed(null)
}

/** Arguments as JSON has them, decoded; the output encoded, as the model reads it. */
export const run = Effect.fnUntraced(function* <Name extends string, P extends Tool.Codec, O extends Tool.Codec>(
  tool: Tool.Tool<Name, P, O, Capability.Environment>,
  value: P["Encoded"],
  environment: Environment.Environment["Service"] = nothingSet
): Effect.fn.Return<ToolRun<O>, ToolError.ToolError> {
  const parameters = yield* Effect.orDie(Schema.decodeUnknownEffect(tool.parameters)(value))
  const execute: Effect.Effect<
    Tool.ToolResult<O["Type"]>,
    ToolError.ToolError,
    Capability.Environment | Tool.Always
  > = tool.execute(parameters)
  const { display, output } = yield* Effect.scoped(execute).pipe(
    Effect.provideService(Capability.Environment, environment),
    Effect.provide(always)
  )
  return { display, output: yield* Effect.orDie(Schema.encodeUnknownEffect(tool.output)(output)) }
})

interface ToolRun<O extends Tool.Codec> {
  readonly display: string
  readonly output: O["Encoded"]
}

/** The message of a mistake in this argument. */
export const mistakeIn = (field: string, call: Effect.Effect<unknown, ToolError.ToolError>): Effect.Effect<string> =>
  Effect.flip(call).pipe(
    Effect.flatMap((error) =>
      error._tag === "ValidationError" && error.field === field
        ? Effect.succeed(error.message)
        : Effect.die(new Error(`not a mistake in ${field}: ${error.message}`))
    ),
    Effect.orDie
  )
