/** Calls of servers' tools as the dispatcher makes them. */
import type { ToolError } from "@bough/protocol"
import { Progress, Sampling, type Tool, ToolSchema } from "@bough/tool"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Servers } from "../src/client/Servers.ts"

interface Output {
  readonly text: string
  readonly structured: Readonly<Record<string, unknown>> | null
}

/** `sampling`: answers the servers' requests to the model. */
export const calling = (servers: Servers, sampling?: Sampling.Sampling["Service"]) => {
  const progress: Array<string> = []
  const tool = (name: string): Tool.Any => {
    const found = servers.tools().get(name)
    if (found === undefined) throw new Error(`no ${name} among ${[...servers.tools().keys()].join(", ")}`)
    return found
  }
  let context: Context.Context<never> = Context.make(Progress.Progress, {
    report: (message, percent) =>
      Effect.sync(() => void progress.push(percent === undefined ? message : `${percent} ${message}`))
  }) as never
  for (const { capability, provided } of servers.provisions) {
    context = Context.addUnsafe(
      context,
      capability.key,
      provided.make({} as never, () => {})
    )
  }
  if (sampling !== undefined) context = Context.addUnsafe(context, Sampling.Sampling.key, sampling)
  const call = (name: string, parameters: Readonly<Record<string, unknown>>) =>
    Effect.suspend(() => tool(name).execute(parameters)).pipe(Effect.provideContext(context)) as Effect.Effect<
      Tool.ToolResult<Output>,
      ToolError.ToolError
    >
  return Object.assign(call, {
    tool,
    progress,
    schemaOf: (name: string) => ToolSchema.parameters(tool(name)),
    decode: (name: string, parameters: unknown) => Schema.decodeUnknownEffect(tool(name).parameters)(parameters),
    preview: (name: string) =>
      Effect.suspend(() => tool(name).preview?.({}) ?? Effect.die("it has none")).pipe(
        Effect.provideContext(context)
      ) as Effect.Effect<Tool.Preview, ToolError.ToolError>,
    classify: (name: string) =>
      Effect.suspend(() => tool(name).classify?.({}) ?? Effect.die("it has none")).pipe(
        Effect.provideContext(context)
      ) as Effect.Effect<Tool.Classification>
  })
}

/** Waits until a condition on another process is true. */
export const until = (holds: () => boolean): Effect.Effect<void> =>
  Effect.suspend(() => (holds() ? Effect.void : Effect.andThen(Effect.sleep(5), until(holds)))).pipe(
    Effect.timeoutOrElse({ duration: 120_000, orElse: () => Effect.die(new Error("it never came to that")) })
  )
