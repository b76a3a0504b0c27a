/** Adapts a tool of a server to Bough's own contract. */
import { type Tier, ToolError } from "@bough/protocol"
import * as ArgumentText from "@bough/text/ArgumentText"
import { Capability, type Sampling, Tool } from "@bough/tool"
import { Progress } from "@bough/tool/Progress"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Option from "effect/Option"
import type * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { coalesced } from "../coalesced.ts"
import { isConfined, type ServerConfig, tierOf } from "../ServerConfig.ts"
import * as Arguments from "./Arguments.ts"
import type { CallResult } from "./CallResult.ts"
import type { Definition } from "./Definition.ts"
import { capabilityFor, type ExternalService } from "./External.ts"
import * as ServerProgress from "./Progress.ts"
import type { Ask } from "./Sampling.ts"

const Output = Schema.Struct({
  text: Schema.String,
  structured: Schema.NullOr(Schema.Record(Schema.String, Schema.Json))
})

/** Uses a digest as the version of a tool, so that an approval of one definition does not cover another. */
const versionOf = (digest: string): number => Number.parseInt(digest.slice(-7), 16)

export interface ToolOptions {
  /** The name that Bough uses. */
  readonly name: string
  /** True: the definition, or the server behind its name, differs from the one that was last approved. */
  readonly isChanged: () => boolean
}

/** Makes the tool. */
export const make = (server: ServerConfig, definition: Definition, { isChanged, name }: ToolOptions): Tool.Any => {
  const tier = tierOf(server, definition.tool)
  const capability = capabilityFor(tier, isConfined(server))
  return Tool.fromChecked(
    name,
    {
      description: `${server.descriptionPrefix ?? `MCP server ${server.name}`}: ${definition.description || definition.tool}`,
      version: versionOf(definition.digest),
      parameters: Arguments.codecOf(definition.inputSchema),
      output: Output,
      forModel: ({ text }: typeof Output.Type) => text,
      capabilities: maySample(server, tier) ? [capability, Capability.Sampling] : [capability],
      tier,
      replay: "Unsafe",
      ruleScope: "Tool",
      ...egressOf(server),
      timeoutMillis: server.timeoutMillis
    },
    {
      classify: () =>
        Effect.sync(() =>
          isChanged() ? { tier, everyTime: "its definition or its server differs from the approved one" } : { tier }
        ),
      preview: (parameters: Parameters) => Effect.succeed(previewOf(server, definition, { name, parameters })),
      execute: (parameters: Parameters) => execute({ server, definition, capability }, parameters)
    }
  )
}

/** A tool that only reads spends nothing: its calls run in parallel and need no approval. */
const maySample = ({ sampling }: ServerConfig, tier: Tier.Tier): boolean => sampling !== null && tier !== "ReadOnly"

type Parameters = Readonly<Record<string, unknown>>
type AnyCapability = ReturnType<typeof capabilityFor>

/** Makes a call to a server over HTTP need the same approval as a request to the server's host. */
const egressOf = ({ transport }: ServerConfig) =>
  transport._tag === "Stdio"
    ? {}
    : {
        egress: {
          address: () => transport.url,
          texts: (parameters: Parameters) => [JSON.stringify(parameters)].filter((text) => text !== "{}")
        }
      }

/** Makes the service. The capabilities share one service; the declared one is known when the tool runs. */
const serviceOf = (capability: AnyCapability): Effect.Effect<ExternalService> =>
  capability as unknown as Effect.Effect<ExternalService>

const previewOf = (
  config: ServerConfig,
  { digest, hints, tool }: Definition,
  { name, parameters }: { readonly name: string; readonly parameters: Parameters }
): Tool.Preview => {
  const { from, name: server, sampling } = config
  return {
    render: [
      name,
      ...ArgumentText.facts(JSON.stringify(parameters)).map((fact) => fact.replaceAll(/^/gmu, "  ")),
      `runs ${tool} of the MCP server ${server} (${from})`,
      ...(sampling === null || !maySample(config, tierOf(config, tool))
        ? []
        : [
            `the server may ask ${sampling.model ?? "the model"} meanwhile: ${sampling.requestsPerMinute} times a minute, for ${sampling.maxTokens} tokens each`
          ]),
      ...(hints === "" ? [] : [`the server says ${hints}; this is not checked`])
    ].join("\n"),
    preconditions: [{ key: `mcp/definition ${server} ${tool}`, digest }]
  }
}

interface ServerToolParts {
  readonly server: ServerConfig
  readonly definition: Definition
  readonly capability: AnyCapability
}

const execute = Effect.fnUntraced(function* (
  { capability, definition: { digest, tool }, server }: ServerToolParts,
  parameters: Parameters
): Effect.fn.Return<Tool.ToolResult<typeof Output.Type>, ToolError.ToolError, Progress> {
  const { report } = yield* Progress
  const service = yield* serviceOf(capability)
  const call = (ask: Ask | null) =>
    coalesced(
      (reported: ServerProgress.ServerProgress) =>
        report(ServerProgress.textOf(reported), ServerProgress.percentOf(reported)),
      (onProgress) => service.call({ server: server.name, tool, arguments: parameters, digest, onProgress, ask })
    )
  const sampling = maySample(server, tierOf(server, tool))
    ? Option.getOrNull(yield* Effect.serviceOption(Capability.Sampling))
    : null
  const result = yield* sampling === null ? call(null) : Effect.scoped(Effect.flatMap(askingWith(sampling), call))
  return yield* toToolResult(result, tool)
})

/** Makes the server's access to the model. Its requests end with the scope, before the call does. */
const askingWith = (sampling: Capability.Sampling["Service"]) =>
  Effect.map(
    FiberSet.makeRuntimePromise<never, Result.Result<Sampling.SamplingReply, string>>(),
    (run): Ask =>
      (request, signal) =>
        run(Effect.result(Effect.mapError(sampling.ask(request), ToolError.describe)), { signal })
  )

const maxErrorLength = 8192

const countOf = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`

const sizesOf = (text: string, images: number): string =>
  [
    ...(text === "" && images > 0 ? [] : [countOf(text.length, "character")]),
    ...(images === 0 ? [] : [countOf(images, "image")])
  ].join(", ")

const toToolResult = (
  { isError, media, structured, text }: CallResult,
  tool: string
): Effect.Effect<Tool.ToolResult<typeof Output.Type>, ToolError.ExecutionError> =>
  isError
    ? Effect.fail(
        new ToolError.ExecutionError({
          message: text.slice(0, maxErrorLength).toWellFormed() || `${tool} failed without a message`
        })
      )
    : Effect.succeed({
        output: { text, structured: structured as (typeof Output.Type)["structured"] },
        display: `${tool}: ${sizesOf(text, media.length)}`,
        ...(media.length === 0 ? {} : { media })
      })
