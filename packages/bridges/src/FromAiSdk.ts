/** Tools of the AI SDK as a pack. Bough checks each call before it runs. */
import { type Message, type Tier, ToolError } from "@bough/protocol"
import { Tool, ToolPack } from "@bough/tool"
import { asSchema, type Schema as AiSdkSchema, type Tool as AiSdkTool, type ToolExecutionOptions } from "ai"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"

export interface FromAiSdkOptions {
  /**
   * Returns the tier of a tool by its name in the AI SDK. Default: System, which requires approval, because such a tool is not
   * confined.
   */
  readonly tier?: (name: string) => Tier.Tier
}

type AnyAiSdkTool = AiSdkTool

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
  tools: Readonly<Record<string, AnyAiSdkTool>>,
  { tier = () => "System" }: FromAiSdkOptions = {}
): Promise<ToolPack.ToolPack<never>> => {
  const wrong = faultOf(tools)
  if (wrong !== null) return Promise.reject(new TypeError(`fromAiSdk: ${wrong}`))
  return Promise.all(Object.entries(tools).flatMap(([name, tool]) => toolOf(name, tool, tier(name)) ?? [])).then(
    (made) => ToolPack.make(...made)
  )
}

/** A program without types may pass any value; a list has no names for its tools. */
const faultOf = (tools: unknown): string | null => {
  const isRecord = (value: unknown): value is object =>
    typeof value === "object" && value !== null && !Array.isArray(value)
  if (!isRecord(tools)) return "its argument must be an object of tools by name, as in { weather: tool({ … }) }"
  const wrong = Object.entries(tools).find(([, tool]) => !isRecord(tool) || !("inputSchema" in tool))
  return wrong === undefined ? null : `${wrong[0]} must be a tool of the AI SDK, as in tool({ inputSchema, execute })`
}

/** A tool that requires no capability. */
// oxlint-disable-next-line typescript/no-explicit-any -- tools of every schema
type FreeTool = Tool.Tool<string, any, any, never>

type Execute = (input: unknown, options: ToolExecutionOptions<unknown>) => unknown

/** Returns "get_weather" for "getWeather"; a name of another form stays, and the declaration reports it. */
const snakeCase = (name: string): string =>
  /^[A-Za-z][A-Za-z0-9]*$/u.test(name)
    ? name
        .replaceAll(/([a-z0-9])([A-Z])/gu, "$1_$2")
        .replaceAll(/([A-Z])([A-Z][a-z])/gu, "$1_$2")
        .toLowerCase()
    : name

const toolOf = (ownName: string, tool: AnyAiSdkTool, tier: Tier.Tier): Promise<FreeTool> | null => {
  const name = snakeCase(ownName)
  const execute = tool.execute as Execute | undefined
  if (execute === undefined) return null
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
      forModel: (output) => (typeof output === "string" ? output : JSON.stringify(output)),
      classify: (input, { invocation }) =>
        Promise.resolve(needsApproval(tool, input, invocation.callKey)).then((isNeeded) =>
          isNeeded ? { tier: "Elevated", reason: `${name} needs an approval` } : { tier }
        ),
      execute: (input, { invocation: { callKey }, progress, signal }) =>
        validated(schema, input)
          .then((value) => lastOf(execute(value, { ...optionsOf(callKey), abortSignal: signal }), progress))
          .then((output) => resultOf(tool, { input, output, toolCallId: callKey }))
    })
  )
}

/** The options of a call from another loop, which has no messages and no context. */
const optionsOf = (toolCallId: string): ToolExecutionOptions<unknown> => ({ toolCallId, messages: [], context: {} })

const needsApproval = ({ needsApproval: needed }: AnyAiSdkTool, input: unknown, toolCallId: string) =>
  typeof needed === "function" ? needed(input, optionsOf(toolCallId)) : needed === true

const validated = (schema: AiSdkSchema, input: unknown): Promise<unknown> =>
  Promise.resolve(schema.validate?.(input) ?? { success: true as const, value: input }).then((validation) => {
    if (validation.success) return validation.value
    const { message } = validation.error
    throw new ToolError.ValidationError({ message, issues: [{ path: "", message }] })
  })

/** Returns the last value of an iterable, and reports the others as progress. */
const lastOf = (output: unknown, progress: (message: string) => void): unknown => {
  if (!Predicate.hasProperty(output, Symbol.asyncIterator)) return output
  const values = (output as AsyncIterable<unknown>)[Symbol.asyncIterator]()
  const drive = (last: { readonly value: unknown } | null): Promise<unknown> =>
    values.next().then(({ done, value }) => {
      if (done === true) return last?.value
      if (last !== null) progress(textOf(last.value))
      return drive({ value })
    })
  return drive(null)
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value))

const resultOf = (
  { toModelOutput }: AnyAiSdkTool,
  call: { readonly toolCallId: string; readonly input: unknown; readonly output: unknown }
): Promise<Tool.ToolResult<Schema.Json>> => {
  // Values without a JSON form are left out, as the AI SDK does.
  const output = JSON.parse(JSON.stringify(call.output ?? null)) as Schema.Json
  return Promise.resolve(toModelOutput?.(call)).then((shown) => {
    const parts = shown?.type === "content" ? shown.value : []
    const media = parts.flatMap((part): ReadonlyArray<Message.Media> => {
      if (part.type !== "file" || part.data.type !== "data" || typeof part.data.data !== "string") return []
      return [{ mediaType: part.mediaType, data: part.data.data }]
    })
    return { output, display: "Done", media }
  })
}
