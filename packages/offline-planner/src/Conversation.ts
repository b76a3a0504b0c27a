/** Reads the state of a request from the prompt: the request's text, and the results of its calls. */
import type { Model } from "@bough/runtime"

/** The result of a call. `pending`: the call waits for an approval, and `text` contains that information. */
export interface Result {
  readonly state: "succeeded" | "failed" | "pending"
  readonly text: string
}

/** A call made for the newest request. `result` null: there is none yet. */
export interface MadeCall {
  readonly name: string
  readonly arguments: string
  readonly result: Result | null
}

export interface Conversation {
  /** The newest message of the user; "": there is none. */
  readonly request: string
  /** The calls since that message, oldest first. */
  readonly madeCalls: ReadonlyArray<MadeCall>
  /** The number of calls in the entire conversation. */
  readonly callCount: number
  /** All earlier answers, including those of other models. */
  readonly answers: ReadonlyArray<string>
}

export const read = (messages: ReadonlyArray<Model.PromptMessage>): Conversation => {
  const from = messages.findLastIndex((message) => message._tag === "User" && !isTold(message.text))
  const newest = messages[from]
  const parts = messages.flatMap((message) => (message._tag === "Assistant" ? message.parts : []))
  return {
    request: newest?._tag === "User" ? newest.text : "",
    madeCalls: calls(messages.slice(from + 1)),
    callCount: parts.filter((part) => part._tag === "ToolCall").length,
    answers: parts.flatMap((part) => (part._tag === "Text" ? [part.text] : []))
  }
}

const deferred = /^\[result of the deferred call (\S+)\] /

/** Returns true for messages in the user's role that no user wrote: context, and reports of events. */
const isTold = (text: string): boolean =>
  text.startsWith("<context source=") || /^\[(?:session|command) \S+ ended: /.test(text) || deferred.test(text)

const calls = (messages: ReadonlyArray<Model.PromptMessage>): ReadonlyArray<MadeCall> => {
  const calls: Array<IdentifiedCall> = []
  for (const message of messages) {
    if (message._tag === "Assistant") {
      calls.push(...callsOf(message))
      continue
    }
    const settled = message._tag === "ToolResult" ? resultOf(message) : deferredResultOf(message)
    if (settled !== null) settle(calls, settled)
  }
  return calls
}

type IdentifiedCall = MadeCall & { readonly id: string }
type MessageOf<Tag extends Model.PromptMessage["_tag"]> = Extract<Model.PromptMessage, { readonly _tag: Tag }>

const callsOf = ({ parts }: MessageOf<"Assistant">): ReadonlyArray<IdentifiedCall> =>
  parts
    .filter((part) => part._tag === "ToolCall")
    .map(({ arguments: callArguments, name, providerCallId: id }) => ({
      id,
      name,
      arguments: callArguments,
      result: null
    }))

/** A result and the call that it may belong to. */
interface SettledResult {
  readonly isOf: (call: IdentifiedCall) => boolean
  readonly result: Result
}

const resultOf = ({ isError, output, providerCallId }: MessageOf<"ToolResult">): SettledResult => ({
  isOf: ({ id, result }) => id === providerCallId && result === null,
  result: { state: isError ? "failed" : output.startsWith(waiting) ? "pending" : "succeeded", text: output }
})

/** Returns the result of a deferred call; null: the message is not a result. */
const deferredResultOf = ({ text: messageText }: MessageOf<"User">): SettledResult | null => {
  const [prefix, name] = deferred.exec(messageText) ?? []
  if (prefix === undefined) return null
  const text = messageText.slice(prefix.length)
  return {
    isOf: (call) => call.name === name && call.result?.state === "pending",
    result: { state: failure.test(text) ? "failed" : "succeeded", text }
  }
}

/** Assigns a result to the first call that it can belong to. */
const settle = (calls: Array<IdentifiedCall>, { isOf, result }: SettledResult): void => {
  const index = calls.findIndex(isOf)
  if (index >= 0) calls[index] = { ...calls[index], result }
}

/** The beginning of the placeholder for a result that has not arrived. */
const waiting = "Waiting for a person's approval."

/** The runtime's texts for a call without output. */
const failure = /^(?:Error: |outcome unknown: |deferred: not run|[^\n]*: there is no result$)/
