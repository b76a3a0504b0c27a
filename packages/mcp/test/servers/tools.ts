/** The tools of the servers of the tests. */
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js"
import { z } from "zod"

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

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
  server.registerTool("die", { description: "Ends the process" }, () => process.exit(7))
  return server
}
