/** Serves an offer over one connection. */
import type { Server } from "@modelcontextprotocol/sdk/server/index.js"
import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import type { CallToolResult, ServerNotification, ServerRequest, Tool } from "@modelcontextprotocol/sdk/types.js"
import * as Effect from "effect/Effect"
import { coalesced } from "../coalesced.ts"
import type { ClientDecision, ServerOffer, OfferedCall, OfferedResult } from "./Offer.ts"
import * as sdk from "./sdk.ts"

type RequestExtra = RequestHandlerExtra<ServerRequest, ServerNotification>

/** The time limit of a question to the user, who may take a day to decide. */
const askMillis = 24 * 60 * 60 * 1000

/** Connects a server for the offer to the transport; `onClose` is called once the connection has ended. */
export const connect = (offer: ServerOffer, transport: Transport, onClose: () => void): Promise<void> => {
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
    const call: Omit<OfferedCall, "onProgress"> = {
      tool: params.name,
      arguments: params.arguments ?? {},
      ask: server.getClientCapabilities()?.elicitation === undefined ? null : (question) => ask(server, question, extra)
    }
    const ran = withProgress(extra, (onProgress) => offer.call({ ...call, onProgress }))
    return Effect.runPromise(Effect.map(ran, toResult), { signal: extra.signal })
  })
  Object.assign(server, { onclose: onClose })
  return server.connect(transport)
}

interface Report {
  /** The number of reports up to this one, because the remaining work is unknown. */
  readonly progress: number
  readonly message: string
}

/** The maximum length of a report in characters. */
const maxMessage = 1024

/**
 * Runs a call and sends its progress to a client that asked for it, at the rate of `coalesced`.
 * The next report waits until the client has taken the one before; a cancelled call sends no more.
 */
const withProgress = <A>(
  { _meta, sendNotification }: RequestExtra,
  run: (onProgress: OfferedCall["onProgress"]) => Effect.Effect<A>
): Effect.Effect<A> => {
  const progressToken = _meta?.progressToken
  if (progressToken === undefined) return run(() => {})
  const send = ({ message, progress }: Report) =>
    Effect.tryPromise(() =>
      sendNotification({
        method: "notifications/progress",
        params: { progressToken, progress, message: shorten(message) }
      })
    ).pipe(Effect.ignore, Effect.interruptible)
  return coalesced(send, (onReport) => {
    let progress = 0
    return run((message) => onReport({ progress: (progress += 1), message }))
  })
}

const shorten = (message: string): string =>
  message.length <= maxMessage ? message : `${message.slice(0, maxMessage - 1).toWellFormed()}…`

const decision = {
  type: "string",
  title: "Decision",
  description: "approve: the call is run once; deny: it is not run",
  enum: ["approve", "deny"]
} as const

const ask = (server: Server, question: string, { requestId, signal }: RequestExtra): Effect.Effect<ClientDecision> =>
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
