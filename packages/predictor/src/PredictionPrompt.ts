/** The prompt of a prediction: instructions, examples as earlier exchanges, and the input. */
import type { Message } from "@bough/protocol"
import { Session } from "@bough/protocol"
import type { Model } from "@bough/runtime"
import { type Tool, ToolSchema } from "@bough/tool"
import type { Any, ShownExample } from "./Predictor.ts"
import * as Signature from "./Signature.ts"

const accepted = "Accepted"

export const systemOf = ({ instructions }: Pick<Any, "instructions">): string =>
  [
    instructions.trim(),
    "",
    `Each message of the user is an input as JSON. Give the output by calling ${Signature.resultTool}, once, when it is complete.`
  ].join("\n")

/** Declares the tools, then the tool that receives the output. */
export const declarationsOf = (
  { signature }: Pick<Any, "signature">,
  tools: ReadonlyArray<Tool.Any>
): ReadonlyArray<Model.ToolDeclaration> => [
  ...tools.map((tool) => ({
    name: tool.name,
    description: tool.description,
    parameters: ToolSchema.forModel(tool)
  })),
  {
    name: Signature.resultTool,
    description: signature.output.tool.description,
    parameters: Signature.schemaOf(signature.output)
  }
]

/** Formats the examples as earlier exchanges with the model, followed by the input. */
export const messagesOf = (
  examples: ReadonlyArray<ShownExample>,
  input: string
): ReadonlyArray<Model.PromptMessage> => [...examples.flatMap(exchange), user(input)]

export const user = (text: string): Model.PromptMessage => ({ _tag: "User", text, media: [] })

const exchange = ({ input, output }: ShownExample, index: number): ReadonlyArray<Model.PromptMessage> => {
  const toolCallId = Session.ToolCallId.make(`example_${index + 1}`)
  const call: Message.ToolCall = {
    _tag: "ToolCall",
    toolCallId,
    providerCallId: toolCallId,
    name: Signature.resultTool,
    arguments: output
  }
  return [user(input), { _tag: "Assistant", parts: [call] }, resultOf(call, accepted)]
}

/** Formats the result of a call for the model. */
export const resultOf = (
  { name, providerCallId, toolCallId }: Message.ToolCall,
  output: string,
  { isError = false, media = [] }: { readonly isError?: boolean; readonly media?: ReadonlyArray<Message.Media> } = {}
): Model.PromptMessage => ({ _tag: "ToolResult", toolCallId, providerCallId, name, output, isError, media })
