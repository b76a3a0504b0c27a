/** What the prompt says of where a request stands: who asked what, and how the calls for it went. */
import type { Model } from "@bough/runtime"

/** `pending`: it waits for a person, and `text` says so. */
export interface Result {
  readonly state: "succeeded" | "failed" | "pending"
  readonly text: string
}

/** A call made for the newest request. `result` null: none has come. */
export interface Made {
  readonly name: string
  readonly arguments: string
  readonly result: Result | null
}

export interface Conversation {
  /** The newest thing that a person said; "" before any. */
  readonly request: string
  /** Since then, oldest first. */
  readonly made: ReadonlyArray<Made>
  /** Calls in the whole conversation. */
  readonly callCount: number
  /** Everything that was answered before, by anyone. */
  readonly answers: ReadonlyArray<string>
}

export const read = (messages: ReadonlyArray<Model.PromptMessage>): Conversation => {
  const from = messages.findLastIndex((message) => message._tag === "User" && !isTold(message.text))
  const newest = messages[from]
  const parts = messages.flatMap((message) => (message._tag === "Assistant" ? message.parts : []))
  return {
    request: newest?._tag === "User" ? newest.text : "",
    made: calls(messages.slice(from + 1)),
    callCount: parts.filter((part) => part._tag === "ToolCall").length,
    answers: parts.flatMap((part) => (part._tag === "Text" ? [part.text] : []))
  }
}

const deferred = /^\[result of the deferred call (\S+)\] /

/** User messages that no person wrote: context, and what happened meanwhile. */
const isTold = (text: string): boolean =>
  text.startsWith("<context source=") || /^\[(?:session|command) \S+ ended: /.test(text) || deferred.test(text)

const calls = (messages: ReadonlyArray<Model.PromptMessage>): ReadonlyArray<Made> => {
  const made: Array<Made & { readonly id: string }> = []
  const settle = (index: number, result: Result) => {
    if (index >= 0) made[index] = { ...made[index], result }
  }
  for (const message of messages) {
    if (message._tag === "Assistant") {
      for (const part of message.parts) {
        if (part._tag !== "ToolCall") continue
        made.push({ id: part.providerCallId, name: part.name, arguments: part.arguments, result: null })
      }
    } else if (message._tag === "ToolResult") {
      const { isError, output, providerCallId } = message
      const state = isError ? "failed" : isOutput(output) ? "succeeded" : "pending"
      settle(
        made.findIndex(({ id, result }) => id === providerCallId && result === null),
        { state, text: output }
      )
    } else {
      const [prefix, name] = deferred.exec(message.text) ?? []
      if (prefix === undefined) continue
      const text = message.text.slice(prefix.length)
      settle(
        made.findIndex((call) => call.name === name && call.result?.state === "pending"),
        { state: isOutput(text) ? "succeeded" : "failed", text }
      )
    }
  }
  return made
}

/** Tools answer in JSON; a sentence instead is about the call. */
const isOutput = (text: string): boolean => /^\s*[[{"]|^\s*(?:null|true|false|-?\d)/.test(text)
