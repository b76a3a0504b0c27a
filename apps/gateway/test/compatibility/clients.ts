/** The official clients, reading a stream that is passed to them instead of fetched. */
import { EventType, HttpAgent, type BaseEvent } from "@ag-ui/client"
import { DefaultChatTransport, readUIMessageStream, type UIMessage } from "ai"
import OpenAI from "openai"
import * as Sse from "../../src/compatibility/ServerSentEvents.ts"

const respond = (body: string) => () =>
  Promise.resolve(new Response(body, { status: 200, headers: { "content-type": "text/event-stream" } }))

const openai = (body: string) =>
  new OpenAI({ apiKey: "sk", baseURL: "http://gateway.invalid/v1", maxRetries: 0, fetch: respond(body) })

export const readResponse = (events: ReadonlyArray<{ readonly type: string }>) =>
  openai(events.map((event) => Sse.eventText(event.type, event)).join(""))
    .responses.stream({ model: "bough", input: "hi" })
    .finalResponse()

export const readChat = (chunks: ReadonlyArray<unknown>) =>
  openai(chunks.map(Sse.data).join("") + Sse.done)
    .chat.completions.stream({
      model: "bough",
      messages: [{ role: "user", content: "hi" }],
      stream_options: { include_usage: true }
    })
    .finalChatCompletion()

/** The message as `useChat` would hold it, continuing one that it holds. */
export const readUiMessage = async (chunks: ReadonlyArray<unknown>, before?: UIMessage): Promise<UIMessage> => {
  const transport = new DefaultChatTransport({
    api: "http://gateway.invalid",
    fetch: respond(chunks.map(Sse.data).join("") + Sse.done)
  })
  const stream = await transport.sendMessages({
    chatId: "c",
    messages: [],
    abortSignal: undefined,
    trigger: "submit-message",
    messageId: undefined
  })
  let last: UIMessage | undefined
  const messages = readUIMessageStream({
    stream,
    terminateOnError: true,
    ...(before === undefined ? {} : { message: before }),
    onError: (error) => {
      throw error
    }
  })
  for await (const message of messages) last = message
  if (last === undefined) throw new Error("the stream held no message")
  return last
}

/** The agent after one run. */
export const runAgent = async (events: ReadonlyArray<unknown>, agent?: HttpAgent) => {
  const reader = agent ?? new HttpAgent({ url: "http://gateway.invalid" })
  reader.fetch = respond(events.map(Sse.data).join(""))
  const seen: Array<BaseEvent> = []
  const result = await reader.runAgent({}, { onEvent: ({ event }) => void seen.push(event) })
  return { agent: reader, result, seen, finished: seen.find(({ type }) => type === EventType.RUN_FINISHED) }
}
