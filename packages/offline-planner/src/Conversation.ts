/** Reads the state of a request from the prompt: its text, and the results of its calls. */
import type { Model } from "@bough/runtime"

/** `pending`: the call waits for an approval, and `text` says so. */
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
  /** The newest message of the user; "" before any. */
  readonly request: string
  /** The calls since then, oldest first. */
  readonly made: ReadonlyArray<Made>
  /** Calls in the whole conversation. */
  readonly callCount: number
  /** All earlier answers, of every model. */
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

/** User messages that no user wrote: context, and reports of events. */
const isTold = (text: string): boolean =>
  text.startsWith("<context source=") || /^\[(?:session|command) \S+ ended: /.test(text) || deferred.test(text)

const calls = (messages: ReadonlyArray<Model.PromptMessage>): ReadonlyArray<Made> => {
  const made: Array<Identified> = []
  for (const message of messages) {
    if (message._tag === "Assistant") {
      made.push(...callsOf(message))
      continue
    }
    const settled = message._tag === "ToolResult" ? resultOf(message) : deferredResultOf(message)
    if (settled !== null) settle(made, settled)
  }
  return made
}

type Identified = Made & { readonly id: string }
type MessageOf<Tag extends Model.PromptMessage["_tag"]> = Extract<Model.PromptMessage, { readonly _tag: Tag }>

const callsOf = ({ parts }: MessageOf<"Assistant">): ReadonlyArray<Identified> =>
  parts
    .filter((part) => part._tag === "ToolCall")
    .map(({ arguments: given, name, providerCallId: id }) => ({ id, name, arguments: given, result: null }))

/** A result and its possible call. */
interface Settled {
  readonly isOf: (call: Identified) => boolean
  readonly result: Result
}

const resultOf = ({ isError, output, providerCallId }: MessageOf<"ToolResult">): Settled => ({
  isOf: ({ id, result }) => id === providerCallId && result === null,
  result: { state: isError ? "failed" : output.startsWith(waiting) ? "pending" : "succeeded", text: output }
})

/** Null: the message is no result. */
const deferredResultOf = ({ text: told }: MessageOf<"User">): Settled | null => {
  const [prefix, name] = deferred.exec(told) ?? []
  if (prefix === undefined) return null
  const text = told.slice(prefix.length)
  return {
    isOf: (call) => call.name === name && call.result?.state === "pending",
    result: { state: failure.test(text) ? "failed" : "succeeded", text }
  }
}

/** The result belongs to the first possible call. */
const settle = (made: Array<Identified>, { isOf, result }: Settled): void => {
  const index = made.findIndex(isOf)
  if (index >= 0) made[index] = { ...made[index], result }
}

/** The beginning of the placeholder for a result that is still to come. */
const waiting = "Waiting for a person's approval."

/** The runtime's words on a call that has no output. */
const failure = /^(?:Error: |outcome unknown: |deferred: not run|[^\n]*: there is no result$)/
