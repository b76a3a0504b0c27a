/** OpenAI's chat completions, as a stream: three providers speak them. */
import * as Ollama from "../../src/Ollama.ts"
import * as OpenAi from "../../src/OpenAi.ts"
import * as OpenAiCompatible from "../../src/OpenAiCompatible.ts"
import * as ChatServer from "../ChatServer.ts"
import { type Body, type Dialect, event, type Reply, type ReplyPart, type Stream } from "./Dialect.ts"

const { call, delta } = ChatServer

const chunks = (part: ReplyPart, index: number): ReadonlyArray<unknown> => {
  if (part.is === "text") return [delta({ content: part.text })]
  if (part.is === "reasoning") return [delta({ reasoning_content: part.text })]
  return [
    call(index, { id: part.id, name: part.name, arguments: "" }),
    ...part.fragments.map((text) => call(index, { arguments: text }))
  ]
}

const finish = { stop: "stop", calls: "tool_calls", length: "length" }

const encode = ({ ends, said, tokens }: Reply): Stream => ({
  body: said.flatMap((part, index) => chunks(part, index)).map((data) => event(data)),
  closing: [
    event(delta({}, finish[ends])),
    event(ChatServer.usage(tokens.input, tokens.output, tokens.cached)),
    "data: [DONE]\n\n"
  ]
})

const chat = {
  path: /^\/v1\/chat\/completions$/,
  keyHeader: "authorization",
  contentType: "text/event-stream",
  encode,
  failure: (_: number, message: string) => ({ error: { message, type: "error", code: null } }),
  overload: (message: string) => event({ error: { message, type: "server_error", code: null } }),
  writesArguments: true,
  reasons: true,
  results: (body: Body) =>
    body.messages.filter(({ role }: Body) => role === "tool").map((message: Body) => JSON.stringify(message)),
  signatures: null,
  tools: (body: Body) => body.tools,
  countsWritten: false,
  limit: (body: Body) => body.max_tokens
}

export const openAiChat: Dialect = {
  ...chat,
  reasons: false,
  provider: OpenAi.chatProvider,
  model: "openai-chat/gpt-4.1",
  environment: (origin, key) => ({ OPENAI_BASE_URL: `${origin}/v1`, OPENAI_API_KEY: key })
}

export const openAiCompatible: Dialect = {
  ...chat,
  provider: OpenAiCompatible.provider,
  model: "openai-compatible/tiny",
  environment: (origin, key) => ({ OPENAI_COMPATIBLE_BASE_URL: `${origin}/v1`, OPENAI_COMPATIBLE_API_KEY: key })
}

export const ollama: Dialect = {
  ...chat,
  provider: Ollama.provider,
  model: "ollama/tiny",
  environment: (origin, key) => ({ OLLAMA_HOST: origin.replace("http://", ""), OLLAMA_API_KEY: key })
}
