/**
 * The prompt as a fold over entries. Between two Compacted entries it only grows, which keeps a provider's prefix cache
 * valid. Every reader of the same journal gets the same prompt.
 */
import { Entry, type Message, type Session } from "@bough/protocol"
import type { Prompt as ModelPrompt, PromptMessage } from "../ports/Model.ts"
import * as ReportedUsage from "../ports/ReportedUsage.ts"
import * as ContextSource from "./ContextSource.ts"
import * as ErrorText from "./ErrorText.ts"
import * as RunningCommands from "./RunningCommands.ts"
import * as SeenImages from "./SeenImages.ts"
import { readEarlierName } from "./SessionState.ts"

/** A call that the model made, as its provider knows it. */
interface PromptCall {
  readonly providerCallId: string
  readonly name: string
  /** True if its result is a separate message: the call was answered already, or its message has left the prompt. */
  isSeparate: boolean
}

/**
 * The source of a message. Instructions are never summarised, nor is standing text, which counts as an instruction
 * here.
 */
export interface Source {
  readonly seq: number
  readonly kind: "instruction" | "person" | "summary" | "other"
}

/** The provider's count of the prompt at this length. */
export interface ReportedTokens {
  readonly tokens: number
  readonly characters: number
  /** The number of messages that the count covers, including the reply. */
  readonly messages: number
  readonly model: string
}

/** The prompt of a session. Only one fold changes it; `messages` are copied before a caller gets them. */
export interface PromptState {
  readonly messages: Array<PromptMessage>
  /** The source of the message at the same index; seqs ascend. */
  readonly sources: Array<Source>
  /** Characters of all messages, excluding media. */
  characters: number
  /** The part of `characters` that is reasoning, which providers may leave out of the prompt. */
  reasoningCharacters: number
  readonly calls: Map<Session.ToolCallId, PromptCall>
  /** The token count with the newest answer; null: there is none since the last Compacted. */
  reported: ReportedTokens | null
  /** True if the awaited reply is a summary. */
  summarising: boolean
  /** Unanswered calls of the newest reply: their results come before any other message. */
  readonly unanswered: Set<Session.ToolCallId>
  /** True if a reply was requested and has not arrived. */
  awaiting: boolean
  /** The request for the newest reply. */
  asked: { readonly messages: number; readonly model: string }
  /** Results of children and ends of commands that arrived meanwhile. */
  readonly held: Array<PromptMessage>
  /** The user's last message, even after it has left the prompt. */
  newestRequest: { readonly seq: number; readonly text: string } | null
}

/** The state before the first entry. */
export const empty = (): PromptState => ({
  messages: [],
  sources: [],
  characters: 0,
  reasoningCharacters: 0,
  calls: new Map(),
  reported: null,
  summarising: false,
  unanswered: new Set(),
  awaiting: false,
  asked: { messages: 0, model: "" },
  held: [],
  newestRequest: null
})

/** Folds one entry in. */
export const append = (state: PromptState, { body, seq }: Pick<Entry.Entry, "body" | "seq">): void => {
  if (body._tag === "StepStarted") release(state, seq)
  const message = messageOf(state, body)
  if (message !== null) {
    if (separatesCallFromResult(body) && hasUnansweredCalls(state)) state.held.push(message)
    else push(state, message, { seq, kind: kindOf(body) })
  }
  if (body._tag === "StepStarted") {
    state.awaiting = true
    state.asked = { messages: state.messages.length, model: body.model }
  }
  if (body._tag === "ModelReplied") {
    state.awaiting = false
    if (message !== null) report(state, body)
  }
  if (body._tag === "UserMessage") state.newestRequest = { seq, text: body.text }
  if (!hasUnansweredCalls(state)) release(state, seq)
}

/** True for entries that may arrive while results of a reply are awaited. */
const separatesCallFromResult = (body: Entry.Body): boolean =>
  body._tag === "ChildEnded" ||
  body._tag === "CommandEnded" ||
  (body._tag === "ContextAdded" && ContextSource.mayComeBetween(body))

const push = (state: PromptState, message: PromptMessage, source: Source): void => {
  state.messages.push(message)
  state.sources.push(source)
  state.characters += charactersOf(message)
  state.reasoningCharacters += reasoningOf(message)
}

/** True if a message must wait, because a reply and the results of its calls must be adjacent. */
const hasUnansweredCalls = (state: PromptState): boolean => state.awaiting || state.unanswered.size > 0

const release = (state: PromptState, seq: number): void => {
  for (const message of state.held) push(state, message, { seq, kind: "other" })
  state.held.length = 0
}

const kindOf = (body: Entry.Body): Source["kind"] => {
  if (body._tag === "ContextAdded")
    return ContextSource.isData(body) && !ContextSource.isStanding(body.source) ? "other" : "instruction"
  return body._tag === "UserMessage" ? "person" : "other"
}

const report = (state: PromptState, { completion, unreported, usage }: Entry.BodyOf<"ModelReplied">): void => {
  if (completion !== "complete" || unreported === true || usage.inputTokens === 0) return
  const { characters, messages, reasoningCharacters } = state
  // A count that is far too low would hide that the prompt fills the model's window.
  if (!ReportedUsage.canHave(characters - reasoningCharacters, usage.inputTokens + usage.outputTokens)) return
  const { messages: asked, model } = state.asked
  // Messages between the request and the reply were not counted.
  const counted = asked === messages.length - 1 ? messages.length : asked
  state.reported = { tokens: usage.inputTokens + usage.outputTokens, characters, messages: counted, model }
}

/** Returns the message that an entry adds to the prompt; null: none. */
const messageOf = (state: PromptState, body: Entry.Body): PromptMessage | null => {
  switch (body._tag) {
    case "UserMessage":
      return { _tag: "User", text: body.text, media: body.media }
    case "ContextAdded":
      return user(`<context source=${JSON.stringify(body.source)}>\n${body.text}\n</context>`)
    case "StepStarted":
      state.summarising = body.purpose === "compaction"
      // Calls that are still unanswered at this point never get a result.
      state.unanswered.clear()
      return null
    case "ModelReplied":
      return state.summarising ? null : reply(state, body)
    case "CallDeferred":
      return deferral(state, body.toolCallId)
    case "CallEnded":
      return result(state, body)
    case "ChildEnded":
      return body.purpose === undefined ? user(childResult(body)) : null
    case "CommandEnded":
      return user(`[command ${body.commandId} ${RunningCommands.statement(body)}]`)
    case "Compacted":
      compact(state, body)
      return null
    case "SessionOpened":
    case "ApprovalAsked":
    case "ApprovalDecided":
    case "RuleGiven":
    case "RuleRevoked":
    case "CallStarted":
    case "ChildSpawned":
    case "SamplingStarted":
    case "SamplingEnded":
    case "StateChanged":
    case "SessionEnded":
      return null
  }
}

/** Counts a message's characters, excluding media. */
export const charactersOf = (message: PromptMessage): number => {
  if (message._tag === "User") return message.text.length
  if (message._tag === "ToolResult") return message.output.length
  return message.parts.reduce((sum, part) => sum + (part._tag === "ToolCall" ? part.arguments : part.text).length, 0)
}

const reasoningOf = (message: PromptMessage): number =>
  message._tag === "Assistant"
    ? message.parts.reduce((sum, part) => sum + (part._tag === "Reasoning" ? part.text.length : 0), 0)
    : 0

/** Counts the characters of a prompt that every provider counts: without media, reasoning and declarations. */
export const countedCharacters = ({ messages, system }: Pick<ModelPrompt, "messages" | "system">): number =>
  messages.reduce((sum, message) => sum + charactersOf(message) - reasoningOf(message), system.length)

/** Makes the text about a child's end that the parent's model reads. */
const childResult = ({ childId, result }: Entry.BodyOf<"ChildEnded">): string => {
  const reason = result.reason === "" ? "" : ` (${result.reason})`
  const sentFiles = result.artifacts.flatMap((artifact) => (artifact._tag === "MediaSent" ? [artifact.path] : []))
  const files = sentFiles.length === 0 ? "" : `\n[it sent ${[...new Set(sentFiles)].join(", ")}]`
  return `[result of session ${childId}: ${result.status.toLowerCase()}${reason}]\n${result.output ?? result.summary}${files}${SeenImages.textOf(result.artifacts)}`
}

const user = (text: string): PromptMessage => ({ _tag: "User", text, media: [] })

/** Makes the message of a reply. An interrupted reply keeps its text but none of its calls, since no results follow. */
const reply = (state: PromptState, replied: Entry.BodyOf<"ModelReplied">): PromptMessage | null => {
  state.unanswered.clear()
  const parts = replied.completion === "complete" ? replied.parts : replied.parts.filter(({ _tag }) => _tag === "Text")
  if (parts.length === 0) return null
  for (const part of parts) {
    if (part._tag !== "ToolCall") continue
    state.calls.set(part.toolCallId, promptCallOf(part))
    state.unanswered.add(part.toolCallId)
  }
  return { _tag: "Assistant", parts }
}

const promptCallOf = (call: Message.ToolCall): PromptCall => ({
  providerCallId: call.providerCallId,
  name: call.name,
  isSeparate: false
})

const deferral = (state: PromptState, toolCallId: Session.ToolCallId): PromptMessage | null => {
  const madeCall = state.calls.get(toolCallId)
  if (madeCall === undefined || madeCall.isSeparate) return null
  madeCall.isSeparate = true
  state.unanswered.delete(toolCallId)
  return {
    _tag: "ToolResult",
    toolCallId,
    providerCallId: madeCall.providerCallId,
    name: madeCall.name,
    output: "Waiting for a person's approval. The result will follow; continue with other work or stop here.",
    isError: false,
    media: []
  }
}

const result = (state: PromptState, ended: Entry.BodyOf<"CallEnded">): PromptMessage | null => {
  const madeCall = state.calls.get(ended.toolCallId)
  // A user made this call by hand: the model did not request it and expects no result.
  if (madeCall === undefined) return null
  state.unanswered.delete(ended.toolCallId)
  const { outcome } = ended
  const output = describe(outcome)
  const media = outcome._tag === "Succeeded" ? outcome.media : []
  return madeCall.isSeparate
    ? { _tag: "User", text: `[result of the deferred call ${madeCall.name}] ${output}`, media }
    : {
        _tag: "ToolResult",
        toolCallId: ended.toolCallId,
        providerCallId: madeCall.providerCallId,
        name: madeCall.name,
        output,
        isError: outcome._tag !== "Succeeded",
        media
      }
}

/**
 * Rebuilds the prompt: instructions, the summary, the rest. A result whose call has left the prompt is dropped, even if
 * the range keeps the result.
 */
const compact = (state: PromptState, compacted: Entry.BodyOf<"Compacted">): void => {
  const { fromSeq, throughSeq } = compacted
  const isReplaced = ({ kind, seq }: Source) => kind !== "instruction" && seq >= fromSeq && seq <= throughSeq
  const sourced = state.messages.map((message, index) => ({ message, source: state.sources[index] }))
  const leftCalls = new Set<Session.ToolCallId>()
  for (const { message, source } of sourced) {
    if (message._tag === "Assistant" && isReplaced(source)) for (const id of callsOf(message)) leftCalls.add(id)
  }
  for (const toolCallId of leftCalls) {
    const madeCall = state.calls.get(toolCallId)
    if (madeCall !== undefined) madeCall.isSeparate = true
  }
  const remaining = sourced.filter(
    ({ message, source }) =>
      !isReplaced(source) && !(message._tag === "ToolResult" && leftCalls.has(message.toolCallId))
  )
  const before = remaining.filter(({ source }) => source.seq <= throughSeq)
  const summary = { message: user(summaryText(compacted)), source: { seq: throughSeq, kind: "summary" } as const }
  const all = [...before, summary, ...remaining.slice(before.length)]
  state.messages.splice(0, Infinity, ...all.map(({ message }) => message))
  state.sources.splice(0, Infinity, ...all.map(({ source }) => source))
  state.characters = state.messages.reduce((sum, message) => sum + charactersOf(message), 0)
  state.reasoningCharacters = state.messages.reduce((sum, message) => sum + reasoningOf(message), 0)
  state.reported = null
}

/** The calls that a message of the model makes. */
export const callsOf = (message: PromptMessage): ReadonlyArray<Session.ToolCallId> =>
  message._tag === "Assistant"
    ? message.parts.flatMap((part) => (part._tag === "ToolCall" ? [part.toolCallId] : []))
    : []

/** Makes the text that the model reads in place of a range. */
export const summaryText = ({ fromSeq, summary, throughSeq }: Entry.BodyOf<"Compacted">): string =>
  [
    `<summary entries="${fromSeq}-${throughSeq}">`,
    summary,
    "</summary>",
    `The conversation up to here is summarised above. ${readEarlierName} reads any of these entries word for word, by number.`
  ].join("\n")

/** Makes the text about an outcome that the model reads. */
export const describe = (outcome: Entry.Outcome): string => {
  switch (outcome._tag) {
    case "Succeeded":
      return Entry.modelText(outcome)
    case "Failed":
      return outcome.schema === null
        ? ErrorText.forModel(outcome.error)
        : `${ErrorText.forModel(outcome.error)}\nThe arguments must fit this JSON Schema: ${outcome.schema}`
    case "Rejected":
      return ErrorText.forModel(outcome.error)
    case "Unknown":
      return outcome.message
    case "NotRun":
      return outcome.reason
  }
}
