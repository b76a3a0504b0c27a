/**
 * OpenAI's chat completions, streamed, without a provider package: many local servers use this protocol, so steps and
 * starts must be cheap.
 */
import type { LanguageModelV4StreamPart } from "@ai-sdk/provider"
import { createParser } from "eventsource-parser"
import type { IncomingMessage } from "node:http"
import { addAbortSignal } from "node:stream"
import type { Client, Item } from "./AiSdkBridge.ts"
import * as ChatAnswer from "./ChatAnswer.ts"
import * as ChatRequest from "./ChatRequest.ts"
import * as LineLimit from "./LineLimit.ts"
import * as NodeFetch from "./NodeFetch.ts"
import { toStatusError } from "./toStatusError.ts"

export interface ChatCompletionsOptions {
  readonly send: NodeFetch.Send
  readonly baseUrl: string
  /** Null: no key is sent. */
  readonly key: string | null
  /** The name under which the server knows the model. */
  readonly model: string
}

export const make = ({ baseUrl, key, model, send }: ChatCompletionsOptions): Client => {
  const address = new URL(`${baseUrl.replace(/\/+$/, "")}/chat/completions`)
  const headers = {
    "content-type": "application/json",
    "user-agent": "bough",
    ...(key === null ? {} : { authorization: `Bearer ${key}` })
  }
  // OpenAI's newer models refuse the name of the limit that all other servers use.
  const limitName = address.hostname.endsWith("openai.com") ? "max_completion_tokens" : "max_tokens"
  return {
    ask: ({ abortSignal, ...asked }) =>
      send(address, {
        method: "POST",
        headers,
        body: ChatRequest.body({ model, limitName }, asked),
        ...(abortSignal === undefined ? {} : { signal: abortSignal })
      }).then(({ headers, response, status }) =>
        status >= 200 && status < 300
          ? { contentType: headers.get("content-type") ?? null, read: reading(response) }
          : NodeFetch.textOf(response).then((text) => {
              throw toStatusError({ status, statusText: response.statusMessage ?? "", headers, text })
            })
      )
  }
}

/** The time within which the body must end after a complete answer, so that its connection can be reused. */
const drainMillis = 500

/** Reads the parts of one chunk after another until the final event or the end of the body. */
const reading = (response: IncomingMessage): (() => Promise<Item>) => {
  const answer = ChatAnswer.reader()
  const ready: Array<LanguageModelV4StreamPart> = []
  let isDone = false
  const parser = createParser({
    onEvent: ({ data }) => {
      if (isDone) return
      isDone = data === ChatAnswer.doneMark
      ready.push(...answer.event(data))
    }
  })
  const texts: AsyncIterator<string> = response.setEncoding("utf8")[Symbol.asyncIterator]()
  const line = LineLimit.counter()
  let over = false
  let drained: Promise<void> | null = null
  const read = (): Promise<Item> => {
    if (ready.length > 0) return Promise.resolve({ done: false, values: ready.splice(0) })
    if (drained !== null) return drained.then(() => ({ done: true }))
    if (over) return Promise.resolve({ done: true })
    return texts.next().then((text) => {
      if (text.done === true) {
        over = true
        ready.push(...answer.end())
      } else {
        line.text(text.value)
        parser.feed(text.value)
        if (isDone) {
          ready.push(...answer.end())
          drained = drain(response, texts)
        }
      }
      return read()
    })
  }
  return read
}

/** Reads the rest of the body after a complete answer, and closes the connection if the body does not end. */
const drain = (response: IncomingMessage, texts: AsyncIterator<string>): Promise<void> => {
  // Usually the end arrives together with the final event.
  if (!response.complete) addAbortSignal(AbortSignal.timeout(drainMillis), response)
  const rest = (): Promise<void> => texts.next().then(({ done }) => (done === true ? undefined : rest()))
  return rest().catch(() => {})
}
