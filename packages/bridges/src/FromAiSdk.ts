/** Tools of the AI SDK as a pack. Bough checks each call before it runs. */
import type { Tier } from "@bough/protocol"
import { Tool, ToolPack } from "@bough/tool"
import { asSchema } from "ai"
import * as Schema from "effect/Schema"
import * as AiSdkArguments from "./internal/AiSdkArguments.ts"
import * as AiSdkCalls from "./internal/AiSdkCalls.ts"
import { snakeCase } from "./internal/snakeCase.ts"

export interface FromAiSdkOptions {
  /** Returns a tool's tier by its name in the AI SDK. Default: System, which requires approval: no sandbox confines it. */
  readonly tier?: (name: string) => Tier.Tier
}

/**
 * Makes a pack of the tools that have `execute`.
 *
 * - a name in camel case becomes one in snake case, as all tools have: `getWeather` is `get_weather`
 * - the tool's schema validates the arguments, and its parsed value is passed on
 * - a tool whose `needsApproval` asks for the call is Elevated
 * - all but the last value of an async iterable are progress
 * - files in the content of `toModelOutput` become media
 */
export const fromAiSdk = (
  tools: Readonly<Record<string, AiSdkCalls.AnyAiSdkTool>>,
  { tier = () => "System" }: FromAiSdkOptions = {}
): Promise<ToolPack.ToolPack<never>> => {
  const fault = AiSdkArguments.faultOf(tools)
  if (fault !== null) return Promise.reject(new TypeError(`fromAiSdk: ${fault}`))
  const runnable = Object.entries(tools).filter(([, { execute }]) => execute !== undefined)
  return Promise.all(runnable.map(([name, tool]) => toolOf(snakeCase(name), tool, tier(name)))).then((tools) =>
    ToolPack.make(...tools)
  )
}

/** A tool that requires no capability. */
// oxlint-disable-next-line typescript/no-explicit-any -- tools of every schema
type FreeTool = Tool.Tool<string, any, any, never>

const toolOf = (name: string, tool: AiSdkCalls.AnyAiSdkTool, tier: Tier.Tier): Promise<FreeTool> => {
  const schema = asSchema<unknown>(tool.inputSchema)
  return Promise.resolve(schema.jsonSchema).then(({ $schema: _, ...json }) =>
    Tool.fromAsync(name, {
      version: 1,
      description: typeof tool.description === "string" ? tool.description : name,
      tier,
      replay: "Unsafe",
      capabilities: [],
      parameters: { ...json, type: "object" },
      output: Schema.Json,
      forModel: AiSdkCalls.textOf,
      classify: (input, { invocation: { callKey: id } }) =>
        AiSdkCalls.needsApproval(tool, { input, id }).then((isNeeded) =>
          isNeeded ? { tier: "Elevated", reason: `${name} needs an approval` } : { tier }
        ),
      execute: (input, { invocation: { callKey: id }, progress, signal }) =>
        AiSdkCalls.run(tool, { input, id }, { schema, progress, signal })
    })
  )
}
