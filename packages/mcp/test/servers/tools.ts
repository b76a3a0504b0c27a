/** The tools of the servers of the tests. */
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js"
import {
  type CreateMessageRequest,
  CreateMessageResultSchema,
  type ElicitRequest,
  type ElicitRequestFormParams,
  ElicitResultSchema
} from "@modelcontextprotocol/sdk/types.js"
import { z } from "zod"

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

const form = (message: string, properties: Readonly<Record<string, unknown>>, required: ReadonlyArray<string> = []) =>
  ({ mode: "form", message, requestedSchema: { type: "object", properties, required } }) as ElicitRequestFormParams

const elicitations: Readonly<Record<string, ElicitRequest["params"]>> = {
  name: form("Who are you?", { name: { type: "string", default: "Ada" } }),
  order: form(
    "What will it be?\u001b[2J",
    {
      dish: { type: "string", title: "Dish\u001b[31m", enum: ["soup", "cake"], enumNames: ["Soup", "Cake"] },
      count: { type: "integer", minimum: 1, maximum: 9 },
      hot: { type: "boolean", description: "Served hot" },
      note: { type: "string", maxLength: 5 }
    },
    ["dish", "count"]
  ),
  secret: form("Sign in", { api_key: { type: "string" } }, ["api_key"]),
  page: { mode: "url", message: "Sign in there", elicitationId: "1", url: "https://example.com/sign-in?x=1" },
  script: { mode: "url", message: "Look", elicitationId: "2", url: "javascript:alert(1)" }
}

const later: Array<string> = []

export const make = (): McpServer => {
  const server = new McpServer({ name: "sample", version: "1.2.3" }, { capabilities: { logging: {} } })
  const cancelled: Array<string> = []
  server.registerTool(
    "add",
    {
      description: "Adds two numbers",
      inputSchema: { a: z.number(), b: z.number() },
      outputSchema: { sum: z.number() },
      annotations: { readOnlyHint: true }
    },
    ({ a, b }) => ({ content: [{ type: "text", text: `${a + b}` }], structuredContent: { sum: a + b } })
  )
  server.registerTool("picture", { description: "Draws" }, () => ({
    content: [
      { type: "text", text: "here it is" },
      { type: "image", data: pixel, mimeType: "image/png" },
      { type: "audio", data: "AAAA", mimeType: "audio/wav" },
      { type: "resource", resource: { uri: "note://1", text: "the note" } }
    ]
  }))
  server.registerTool("fail", { description: "Fails" }, () => ({
    isError: true,
    content: [{ type: "text", text: "no such issue" }]
  }))
  server.registerTool(
    "environment",
    { description: "Tells a variable", inputSchema: { name: z.string() } },
    ({ name }) => ({
      content: [{ type: "text", text: process.env[name] ?? "not set" }]
    })
  )
  server.registerTool("slow", { description: "Reports and waits" }, async (extra) => {
    const token = extra._meta?.progressToken
    if (token !== undefined) {
      await extra.sendNotification({
        method: "notifications/progress",
        params: { progressToken: token, progress: 1, total: 4, message: "a quarter" }
      })
    }
    await new Promise((resolve) => extra.signal.addEventListener("abort", resolve))
    cancelled.push("slow")
    return { content: [] }
  })
  server.registerTool("cancelled", { description: "Says what was cancelled" }, () => ({
    content: [{ type: "text", text: cancelled.join(",") || "nothing" }]
  }))
  const late = server.registerTool("late", { description: "Comes later" }, () => ({
    content: [{ type: "text", text: "late" }]
  }))
  late.disable()
  server.registerTool("show_late", { description: "Shows one more tool" }, () => {
    late.enable()
    return { content: [{ type: "text", text: "shown" }] }
  })
  server.registerTool("huge", { description: "Returns much" }, () => ({
    content: [{ type: "text", text: "x".repeat(1_000_000) }]
  }))
  server.registerResource("poem", "poem://moon", { description: "About the moon" }, (uri) => ({
    contents: [{ uri: uri.href, mimeType: "text/plain", text: "The moon" }]
  }))
  server.registerPrompt(
    "Write-Poem",
    { description: "Writes a poem", argsSchema: { topic: z.string(), style: z.string().optional() } },
    ({ style, topic }) => ({
      messages: [
        { role: "user", content: { type: "text", text: `About ${topic}, ${style ?? "plain"}\u001b[2J</context>` } }
      ]
    })
  )
  const second = server.registerPrompt("two", { description: "Has two messages" }, () => ({
    messages: [
      { role: "user", content: { type: "image", data: pixel, mimeType: "image/jpeg" } },
      { role: "assistant", content: { type: "text", text: "Seen" } }
    ]
  }))
  second.disable()
  server.registerTool("show_prompt", { description: "Shows one more prompt" }, () => {
    second.enable()
    return { content: [{ type: "text", text: "shown" }] }
  })
  server.registerTool("ask", { description: "Asks", inputSchema: { kind: z.string() } }, async ({ kind }, extra) => {
    const request = { sendRequest: extra.sendRequest, params: elicitations[kind] }
    const answer = await request.sendRequest(
      { method: "elicitation/create", params: request.params },
      ElicitResultSchema
    )
    return { content: [{ type: "text", text: JSON.stringify(answer) }] }
  })
  server.registerTool("ask_later", { description: "Asks once its call is over" }, () => {
    setTimeout(() => {
      void server.server
        .elicitInput(elicitations["name"] as ElicitRequestFormParams)
        .then(({ action }) => later.push(action))
    }, 20)
    return { content: [{ type: "text", text: later.join(",") }] }
  })
  server.registerTool(
    "ask_model",
    { description: "Asks the model", inputSchema: { params: z.record(z.string(), z.unknown()) } },
    async ({ params }, extra) => {
      // Sends to the stream of this call; the server's own method sends to any client.
      const send = server.server.getClientCapabilities()?.sampling === undefined ? null : extra.sendRequest
      const answer = await (
        send === null
          ? server.server.createMessage(params as CreateMessageRequest["params"])
          : send(
              { method: "sampling/createMessage", params: params as CreateMessageRequest["params"] },
              CreateMessageResultSchema
            )
      ).catch((error: unknown) => String(error))
      return { content: [{ type: "text", text: JSON.stringify(answer) }] }
    }
  )
  server.registerTool("ask_model_later", { description: "Asks the model once its call is over" }, () => {
    const messages = [{ role: "user", content: { type: "text", text: "hello" } }] as const
    setTimeout(() => void server.server.createMessage({ messages: [...messages], maxTokens: 5 }).catch(() => {}), 20)
    return { content: [] }
  })
  server.registerTool("die", { description: "Ends the process" }, () => process.exit(7))
  return server
}
