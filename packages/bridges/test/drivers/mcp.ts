import { connect } from "@bough/mcp/server/ToolServer"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js"
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js"
import { toMcp } from "../../src/Mcp.ts"
import { type AskedOutcome, type Call, type Driver, type EndedOutcome, textOf, type World } from "./Driver.ts"

const client = async (world: World, ask: (question: string) => Promise<"approve" | "deny">) => {
  const [here, there] = InMemoryTransport.createLinkedPair()
  const made = new Client({ name: "client", version: "1" }, { capabilities: { elicitation: {} } })
  made.setRequestHandler(ElicitRequestSchema, async ({ params }) => ({
    action: "accept",
    content: { decision: await ask(params.message) }
  }))
  await connect(toMcp(world.opened, { name: "notes", version: "1" }), there, () => {})
  await made.connect(here)
  return made
}

const called = async (made: Client, { input, name, onProgress, signal }: Call): Promise<EndedOutcome> => {
  const result = await made.callTool({ name, arguments: { ...input } }, undefined, {
    ...(signal === undefined ? {} : { signal }),
    onprogress: ({ message }) => onProgress?.(message ?? "")
  })
  const { content } = result as { readonly content: ReadonlyArray<{ readonly type: string; readonly text?: string }> }
  const [first] = content
  return { told: content.length === 1 && first.type === "text" ? (first.text ?? "") : textOf(content) }
}

export const mcp: Driver = {
  declared: async (world) => {
    const made = await client(world, async () => "deny")
    const { tools } = await made.listTools()
    return tools.find(({ name }) => name === "write_note")?.inputSchema
  },
  run: async (world, call) => {
    const approval = Promise.withResolvers<AskedOutcome>()
    const decided = Promise.withResolvers<boolean>()
    const made = await client(world, async (question) => {
      approval.resolve({
        shown: question,
        decide: (approved) => {
          decided.resolve(approved)
          return ended
        }
      })
      return (await decided.promise) ? "approve" : "deny"
    })
    const ended = called(made, call)
    return Promise.race([ended, approval.promise])
  }
}
