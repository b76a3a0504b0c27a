/**
 * Tests that the written formats match the providers' own types and validators, and that their documented examples are
 * read.
 */
import { assert, describe, it } from "@effect/vitest"
import { CallToolRequestSchema, CallToolResultSchema, ListToolsResultSchema } from "@modelcontextprotocol/sdk/types.js"
import * as Result from "effect/Result"
import type {
  ChatCompletionAssistantMessageParam,
  ChatCompletionTool,
  ChatCompletionToolMessageParam
} from "openai/resources/chat/completions"
import type { FunctionTool, ResponseInputItem } from "openai/resources/responses/responses"
import { dialects } from "../../src/Dialects.ts"
import * as Anthropic from "../../src/formats/Anthropic.ts"
import * as Gemini from "../../src/formats/Gemini.ts"
import * as Mcp from "../../src/formats/Mcp.ts"
import * as OpenAiChat from "../../src/formats/OpenAiChat.ts"
import * as OpenAiResponses from "../../src/formats/OpenAiResponses.ts"
import * as RandomSchema from "./RandomSchema.ts"

const seeds = Array.from({ length: 40 }, (_, seed) => RandomSchema.random(seed))
const declarations = seeds.map(RandomSchema.declaration)
const calls = seeds.flatMap(RandomSchema.calls)
const results = seeds.flatMap(RandomSchema.results)

describe("Formats of the SDKs", () => {
  it("has the types of OpenAI's chat completions", () => {
    const tools: Array<ChatCompletionTool> = OpenAiChat.writeDeclarations(declarations, { isStrict: true }).value
    const message: ChatCompletionAssistantMessageParam = OpenAiChat.writeCalls(calls).value
    const messages: Array<ChatCompletionToolMessageParam> = OpenAiChat.writeResults(results).value
    assert.deepStrictEqual(
      [tools.length, message.tool_calls?.length, messages.length],
      [40, calls.length, results.length]
    )
  })

  it("has the types of OpenAI's Responses", () => {
    const tools: Array<FunctionTool> = OpenAiResponses.writeDeclarations(declarations).value
    const items: Array<ResponseInputItem> = [
      ...OpenAiResponses.writeCalls(calls).value,
      ...OpenAiResponses.writeResults(results).value
    ]
    assert.deepStrictEqual([tools.length, items.length], [40, calls.length + results.length])
  })

  it("passes the validators of the Model Context Protocol", () => {
    const listed = ListToolsResultSchema.parse(Mcp.writeDeclarations(declarations).value)
    const requests = Mcp.writeCalls(calls).value.map(({ method, params }) =>
      CallToolRequestSchema.parse({ method, params })
    )
    const answered = Mcp.writeResults(results).value.map(({ result }) => CallToolResultSchema.parse(result))
    assert.deepStrictEqual([listed.tools.length, requests.length, answered.length], [40, calls.length, results.length])
  })
})

/** Examples from the public documentation of each interface, of its function calling pages. */
describe("Documented examples", () => {
  const weather = { type: "object", properties: { location: { type: "string" } }, required: ["location"] }
  const one = <A>(read: Result.Result<ReadonlyArray<A>, unknown>): A => Result.getOrThrow(read)[0]

  it("reads Anthropic's tool, call and result", () => {
    assert.deepStrictEqual(
      one(Anthropic.readDeclarations([{ name: "get_weather", description: "Get it", input_schema: weather }])),
      { name: "get_weather", description: "Get it", parameters: weather }
    )
    const content = [
      { type: "text", text: "I'll check" },
      { type: "tool_use", id: "toolu_01A", name: "get_weather", input: { location: "San Francisco, CA" } }
    ]
    assert.deepStrictEqual(one(Anthropic.readCalls({ role: "assistant", content })), {
      id: "toolu_01A",
      name: "get_weather",
      arguments: '{"location":"San Francisco, CA"}'
    })
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "aGk=" } }
    const result = {
      type: "tool_result",
      tool_use_id: "toolu_01A",
      content: [{ type: "text", text: "15 degrees" }, image],
      is_error: true
    }
    assert.deepStrictEqual(one(Anthropic.readResults({ role: "user", content: [result] })), {
      callId: "toolu_01A",
      name: null,
      text: "15 degrees",
      isError: true,
      media: [{ mediaType: "image/png", data: "aGk=" }]
    })
  })

  it("reads Gemini's declaration in its own schema, and a response that has neither output nor error", () => {
    const parameters = {
      type: "OBJECT",
      properties: { location: { type: "STRING", nullable: true }, days: { type: "INTEGER", format: "int32" } },
      required: ["location"],
      propertyOrdering: ["location", "days"]
    }
    assert.deepStrictEqual(
      one(Gemini.readDeclarations([{ functionDeclarations: [{ name: "forecast", parameters }] }])).parameters,
      {
        type: "object",
        properties: { location: { type: ["string", "null"] }, days: { type: "integer", format: "int32" } },
        required: ["location"]
      }
    )
    const response = { name: "forecast", response: { temperature: 15 } }
    assert.strictEqual(one(Gemini.readResults({ parts: [{ functionResponse: response }] })).text, '{"temperature":15}')
  })

  it("reads a protocol error and structured content of MCP as results", () => {
    assert.deepStrictEqual(
      Result.getOrThrow(
        Mcp.readResults([
          { jsonrpc: "2.0", id: 3, error: { code: -32602, message: "Unknown tool: x" } },
          { jsonrpc: "2.0", id: 4, result: { content: [], structuredContent: { a: 1 } } }
        ])
      ).map(({ callId, isError, text }) => [callId, isError, text]),
      [
        ["3", true, "Unknown tool: x"],
        ["4", false, '{"a":1}']
      ]
    )
  })

  it("reads Harmony's documented section of tools", () => {
    const section = `# Tools

## functions

namespace functions {

// Gets the location of the user.
type get_location = () => any;

// Gets the current weather in the provided location.
type get_current_weather = (_: {
// The city and state, e.g. San Francisco, CA
location: string,
format?: "celsius" | "fahrenheit", // default: celsius
}) => any;

} // namespace functions`
    assert.deepStrictEqual(Result.getOrThrow(dialects.harmony.readDeclarations(section)), [
      {
        name: "get_location",
        description: "Gets the location of the user.",
        parameters: { type: "object", properties: {}, additionalProperties: false }
      },
      {
        name: "get_current_weather",
        description: "Gets the current weather in the provided location.",
        parameters: {
          type: "object",
          properties: {
            location: { type: "string", description: "The city and state, e.g. San Francisco, CA" },
            format: { type: "string", enum: ["celsius", "fahrenheit"], default: "celsius" }
          },
          required: ["location"]
        }
      }
    ])
  })
})
