/** An MCP server over HTTP whose texts can be set, and which records its calls. */
import * as Effect from "effect/Effect"
import * as World from "./World.ts"

export interface ForeignServer {
  readonly port: number
  readonly texts: { description: string; result: string; error: string; prompt: string }
  /** The arguments of each call of `note`. */
  readonly received: Array<string>
}

interface Request {
  readonly id?: number
  readonly method: string
  readonly params?: { readonly name?: string; readonly arguments?: unknown; readonly protocolVersion?: string }
}

type Texts = Pick<ForeignServer, "received" | "texts">

const answer = ({ method, params = {} }: Request, { received, texts }: Texts): unknown => {
  switch (method) {
    case "initialize": {
      const { protocolVersion } = params
      return { protocolVersion, capabilities: { tools: {}, prompts: {} }, serverInfo: { name: "docs", version: "1" } }
    }
    case "tools/list": {
      const inputSchema = { type: "object", properties: {} }
      const noted = { type: "object", properties: { text: { type: "string" } }, required: ["text"] }
      return {
        tools: [
          { name: "lookup", description: `Looks up. ${texts.description}`, inputSchema },
          { name: "fail", description: "Fails", inputSchema },
          { name: "note", description: "Notes a text", inputSchema: noted }
        ]
      }
    }
    case "tools/call": {
      if (params.name === "note") received.push(JSON.stringify(params.arguments))
      const isError = params.name === "fail"
      return { isError, content: [{ type: "text", text: isError ? texts.error : texts.result }] }
    }
    case "prompts/list":
      return { prompts: [{ name: "review", description: "Reviews" }] }
    case "prompts/get":
      return { messages: [{ role: "user", content: { type: "text", text: texts.prompt } }] }
    default:
      return {}
  }
}

export const make = Effect.gen(function* () {
  const texts = { description: "", result: "found", error: "failed", prompt: "review it" }
  const received: Array<string> = []
  const port = yield* World.serve((request, response) => {
    if (request.method !== "POST") return void response.writeHead(405).end()
    const parts: Array<Buffer> = []
    request.on("data", (part: Buffer) => parts.push(part))
    request.on("end", () => {
      const asked = JSON.parse(Buffer.concat(parts).toString()) as Request
      if (asked.id === undefined) return void response.writeHead(202).end()
      response.writeHead(200, { "content-type": "application/json" })
      response.end(JSON.stringify({ jsonrpc: "2.0", id: asked.id, result: answer(asked, { received, texts }) }))
    })
  })
  return { port, texts, received } satisfies ForeignServer
})
