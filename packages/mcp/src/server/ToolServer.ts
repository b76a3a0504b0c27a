/** Serves an offer over one connection. */
import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import type { CallToolResult, ServerNotification, ServerRequest, Tool } from "@modelcontextprotocol/sdk/types.js"
import * as Effect from "effect/Effect"
import type { Server } from "@modelcontextprotocol/sdk/server/index.js"
import type { ClientDecision, Offer, OfferedCall, OfferedResult } from "./Offer.ts"
import * as sdk from "./sdk.ts"

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>

/** The time limit of a question to the user, who may take a day to decide. */
const askMillis = 24 * 60 * 60 * 1000

/** Connects a server for the offer to the transport; `onClose` is called once the connection has ended. */
export const connect = (offer: Offer, transport: Transport, onClose: () => void): Promise<void> => {
  const { instructions, name, version } = offer
  const server = new sdk.Server(
    { name, version },
    { capabilities: { tools: {} }, ...(instructions === undefined ? {} : { instructions }) }
  )
  server.setRequestHandler(sdk.ListToolsRequestSchema, () => ({
    tools: offer.tools.map((tool) => ({ ...tool }) as Tool)
  }))
  server.setRequestHandler(sdk.CallToolRequestSchema, ({ params }, extra) => {
    if (!offer.tools.some((tool) => tool.name === params.name)) {
      throw new sdk.McpError(sdk.ErrorCode.InvalidParams, `unknown tool ${JSON.stringify(params.name)}`)
    }
    const call: OfferedCall = {
      tool: params.name,
      arguments: params.arguments ?? {},
      onProgress: progressOf(extra),
      ask: server.getClientCapabilities()?.elicitation === undefined ? null : (question) => ask(server, question, extra)
    }
    return Effect.runPromise(Effect.map(offer.call(call), toResult), { signal: extra.signal })
  })
  Object.assign(server, { onclose: onClose })
  return server.connect(transport)
}

/** Sends progress, which counts messages because the remaining work is unknown. */
const progressOf = ({ _meta, sendNotification }: Extra): OfferedCall["onProgress"] => {
  const token = _meta?.progressToken
  let count = 0
  return (message) => {
    if (token === undefined) return
    count += 1
    void sendNotification({
      method: "notifications/progress",
      params: { progressToken: token, progress: count, message }
    }).catch(() => {})
  }
}

const decision = {
  type: "string",
  title: "Decision",
  description: "approve: the call is run once; deny: it is not run",
  enum: ["approve", "deny"]
} as const

const ask = (server: Server, question: string, { requestId, signal }: Extra): Effect.Effect<ClientDecision> =>
  Effect.tryPromise(() =>
    server.elicitInput(
      {
        mode: "form",
        message: question,
        requestedSchema: { type: "object", properties: { decision }, required: ["decision"] }
      },
      { relatedRequestId: requestId, timeout: askMillis, signal }
    )
  ).pipe(
    Effect.map(({ action, content }): ClientDecision => {
      if (action === "decline") return "denied"
      if (action !== "accept") return "unanswered"
      return content?.["decision"] === "approve" ? "approved" : "denied"
    }),
    Effect.orElseSucceed((): ClientDecision => "unanswered")
  )

const toResult = ({ isError, media, structured, text }: OfferedResult): CallToolResult => ({
  content: [
    { type: "text", text },
    ...media.map(({ data, mediaType }) => ({ type: "image" as const, data, mimeType: mediaType }))
  ],
  ...(structured === null ? {} : { structuredContent: { ...structured } }),
  ...(isError ? { isError: true } : {})
})
