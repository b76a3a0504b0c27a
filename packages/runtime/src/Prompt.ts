/**
 * The prompt as a fold over entries: only appended to, so that a provider's cache of its beginning stays good, and the
 * same for everyone who reads the same journal.
 */
import { type Entry, type Message, type Session, ToolError } from "@bough/protocol"
import type { PromptMessage } from "./Model.ts"

/** A call that the model made, as its provider knows it. */
interface Made {
  readonly providerCallId: string
  readonly name: string
  deferred: boolean
}

/** Owned by one folder; whoever hands `messages` out copies them. */
export interface State {
  readonly messages: Array<PromptMessage>
  /** Characters of all messages, media apart. */
  characters: number
  readonly made: Map<Session.ToolCallId, Made>
}

export const empty = (): State => ({ messages: [], characters: 0, made: new Map() })

/** Takes one entry in. */
export const append = (state: State, body: Entry.Body): void => {
  switch (body._tag) {
    case "UserMessage":
      return push(state, { _tag: "User", text: body.text, media: body.media })
    case "ContextAdded":
      return push(state, user(`<context source=${JSON.stringify(body.source)}>\n${body.text}\n</context>`))
    case "ModelReplied":
      return appendReply(state, body)
    case "CallDeferred":
      return appendDeferral(state, body.toolCallId)
    case "CallEnded":
      return appendResult(state, body)
    case "ChildEnded":
      return push(state, user(`[session ${body.childId} ended: ${body.state}] ${body.output ?? body.summary}`))
    case "CommandEnded":
      return push(state, user(`[command ${body.commandId} ended: ${body.reason}]`))
    case "Compacted":
    case "SessionOpened":
    case "StepStarted":
    case "ApprovalAsked":
    case "ApprovalDecided":
    case "CallStarted":
    case "ChildSpawned":
    case "StateChanged":
    case "SessionEnded":
      return
  }
}

const push = (state: State, message: PromptMessage): void => {
  state.messages.push(message)
  state.characters += charactersOf(message)
}

const charactersOf = (message: PromptMessage): number => {
  if (message._tag === "User") return message.text.length
  if (message._tag === "ToolResult") return message.output.length
  return message.parts.reduce((sum, part) => sum + (part._tag === "ToolCall" ? part.arguments : part.text).length, 0)
}

const user = (text: string): PromptMessage => ({ _tag: "User", text, media: [] })

/** An interrupted reply keeps what was said and none of its calls: nothing may answer them. */
const appendReply = (state: State, reply: Entry.BodyOf<"ModelReplied">): void => {
  const parts = reply.completion === "complete" ? reply.parts : reply.parts.filter(({ _tag }) => _tag === "Text")
  if (parts.length === 0) return
  for (const part of parts) {
    if (part._tag === "ToolCall") state.made.set(part.toolCallId, madeFrom(part))
  }
  push(state, { _tag: "Assistant", parts })
}

const madeFrom = (call: Message.ToolCall): Made => ({
  providerCallId: call.providerCallId,
  name: call.name,
  deferred: false
})

const appendDeferral = (state: State, toolCallId: Session.ToolCallId): void => {
  const made = state.made.get(toolCallId)
  if (made === undefined || made.deferred) return
  made.deferred = true
  push(state, {
    _tag: "ToolResult",
    toolCallId,
    providerCallId: made.providerCallId,
    name: made.name,
    output: "Waiting for a person's approval. The result will follow; go on with other work or stop here.",
    isError: false,
    media: []
  })
}

const appendResult = (state: State, ended: Entry.BodyOf<"CallEnded">): void => {
  const made = state.made.get(ended.toolCallId)
  // A call made by a person with the session's tools: the model did not ask, so nothing answers it.
  if (made === undefined) return
  const { outcome } = ended
  const output = describe(outcome)
  const media = outcome._tag === "Succeeded" ? outcome.media : []
  push(
    state,
    made.deferred
      ? { _tag: "User", text: `[result of the deferred call ${made.name}] ${output}`, media }
      : {
          _tag: "ToolResult",
          toolCallId: ended.toolCallId,
          providerCallId: made.providerCallId,
          name: made.name,
          output,
          isError: outcome._tag !== "Succeeded",
          media
        }
  )
}

/** What the model reads of an outcome. */
export const describe = (outcome: Entry.Outcome): string => {
  switch (outcome._tag) {
    case "Succeeded":
      return outcome.output
    case "Failed":
      return outcome.schema === null
        ? describeError(outcome.error)
        : `${describeError(outcome.error)}\nThe arguments must fit this JSON Schema: ${outcome.schema}`
    case "Rejected":
      return describeError(outcome.error)
    case "Unknown":
      return outcome.message
    case "NotRun":
      return outcome.reason
  }
}

const describeError = (error: ToolError.ToolErrorData): string => {
  const line = `${error._tag}: ${ToolError.describe(error)}`
  if (error._tag !== "ValidationError" || error.issues.length === 0) return line
  return [
    line,
    ...error.issues.map(({ message, path }) => (path === "" ? `- ${message}` : `- ${path}: ${message}`))
  ].join("\n")
}
