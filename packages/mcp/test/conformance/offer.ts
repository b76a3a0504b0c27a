/** The tools that the conformance suite expects of a server, offered like the tools of any app. */
import * as Effect from "effect/Effect"
import type { ServerOffer, OfferedCall, OfferedResult, OfferedTool } from "../../src/server/Offer.ts"

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

const none = { type: "object", properties: {}, additionalProperties: false }
const textResult = (text: string, more: Partial<OfferedResult> = {}): OfferedResult => ({
  isError: false,
  text,
  structured: null,
  media: [],
  ...more
})

type Sample = OfferedTool & { readonly run: (call: OfferedCall) => Effect.Effect<OfferedResult> }

const tool = (name: string, run: Sample["run"], inputSchema: OfferedTool["inputSchema"] = none): Sample => ({
  name,
  description: `Tests ${name}`,
  inputSchema,
  run
})

const tools: ReadonlyArray<Sample> = [
  tool("test_simple_text", () => Effect.succeed(textResult("This is a simple text response for testing."))),
  tool("test_image_content", () =>
    Effect.succeed(textResult("", { media: [{ mediaType: "image/png", data: pixel }] }))
  ),
  tool("test_error_handling", () =>
    Effect.succeed(textResult("This tool intentionally returns an error for testing", { isError: true }))
  ),
  tool("test_tool_with_progress", ({ onProgress }) =>
    Effect.gen(function* () {
      for (const share of [0, 50, 100]) {
        onProgress(`${share} %`)
        yield* Effect.sleep(20)
      }
      return textResult("done")
    })
  ),
  tool(
    "test_elicitation",
    ({ arguments: { message }, ask }) =>
      Effect.map(ask?.(String(message)) ?? Effect.succeed("unanswered" as const), (answer) =>
        textResult(`User response: ${answer}`)
      ),
    { type: "object", properties: { message: { type: "string" } }, required: ["message"] }
  ),
  tool("json_schema_2020_12_tool", () => Effect.succeed(textResult("ok")), {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    $defs: {
      address: { type: "object", properties: { street: { type: "string" }, city: { type: "string" } } }
    },
    properties: { name: { type: "string" }, address: { $ref: "#/$defs/address" } },
    additionalProperties: false
  })
]

export const offer = (): ServerOffer => ({
  name: "sample",
  version: "1",
  tools: tools.map(({ run: _, ...declared }) => declared),
  call: (call) =>
    tools.find(({ name }) => name === call.tool)?.run(call) ??
    Effect.succeed(textResult("no such tool", { isError: true }))
})
