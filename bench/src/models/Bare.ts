/**
 * A provider that is called without Bough's code: its AI SDK package unchanged, with its own connections. There is no
 * package for chat completions of any server; Bough's own client is used there, without the bridge.
 */
import { createAmazonBedrock } from "@ai-sdk/amazon-bedrock"
import { createAnthropic } from "@ai-sdk/anthropic"
import { createGoogleGenerativeAI } from "@ai-sdk/google"
import { createOpenAI } from "@ai-sdk/openai"
import * as ChatCompletions from "@bough/models/ChatCompletions"
import * as NodeFetch from "@bough/models/NodeFetch"
import { dialectOf, key, type Name } from "./Providers.ts"

type Part = { readonly type: string; readonly delta?: unknown }

/** Reads the parts one after another. */
export type Read = () => PromiseLike<{ readonly done: boolean; readonly value?: Part | undefined }>

const prompt = [{ role: "user" as const, content: [{ type: "text" as const, text: "hi" }] }]

/** Sends one request, and returns a function that reads the answer. */
export type Ask = () => Promise<Read>

const ask = (model: ReturnType<ReturnType<typeof createAnthropic>["languageModel"]>): Ask => {
  return async () => {
    const reader = (await model.doStream({ prompt })).stream.getReader()
    return () => reader.read()
  }
}

export const make = (name: Name, origin: string): Ask => {
  const { model: whole } = dialectOf(name)
  const model = whole.slice(whole.indexOf("/") + 1)
  switch (name) {
    case "anthropic":
      return ask(createAnthropic({ baseURL: `${origin}/v1`, apiKey: key }).languageModel(model))
    case "google":
      return ask(createGoogleGenerativeAI({ baseURL: `${origin}/v1beta`, apiKey: key }).languageModel(model))
    case "openai":
      return ask(createOpenAI({ baseURL: `${origin}/v1`, apiKey: key }).responses(model))
    case "openai-chat":
      return ask(createOpenAI({ baseURL: `${origin}/v1`, apiKey: key }).chat(model))
    case "amazon-bedrock":
      return ask(createAmazonBedrock({ baseURL: origin, region: "us-east-1", apiKey: key }).languageModel(model))
    case "openai-compatible":
    case "ollama": {
      const send = NodeFetch.sender({ idleMillis: 60_000 })
      const client = ChatCompletions.make({ send, baseUrl: `${origin}/v1`, key, model })
      return async () => (await client.ask({ prompt })).read
    }
  }
}

/** Reads an answer to its end; returns its text. */
export const readAll = async (read: Read): Promise<string> => {
  let text = ""
  for (let item = await read(); !item.done; item = await read()) {
    if (item.value?.type === "text-delta" && typeof item.value.delta === "string") text += item.value.delta
  }
  return text
}
