/**
 * The calls of a session that were requested and have not ended, as a fold over its entries. Only this module combines
 * the entries of a call.
 */
import type { Request } from "./Approval.ts"
import type * as Entry from "./Entry.ts"
import type { ToolCall } from "./Message.ts"
import { type Label, linkOf, type ToolCallId } from "./Session.ts"

/** A request for an approval of a call. */
export interface AskedRequest {
  readonly request: Request
  /** Null: the request waits for a decision. */
  readonly decided: Entry.BodyOf<"ApprovalDecided"> | null
}

export interface OpenCall {
  readonly call: ToolCall
  /**
   * The position of the reply that requested the call; null: a user made the call, so a later process does not run it
   * again.
   */
  readonly askedFor: { readonly turn: number; readonly step: number; readonly model: string | null } | null
  /** The labels of the session when the model requested the call. */
  readonly labels: ReadonlyArray<Label>
  /** The approval requests, oldest first. */
  readonly requests: ReadonlyArray<AskedRequest>
  /** The intents, oldest first; empty: the call was never started, or needs no intent. */
  readonly intents: ReadonlyArray<Entry.BodyOf<"CallStarted">>
  readonly deferred: boolean
  /** The outcomes of a chain's ended links, by name; null: none has ended. */
  readonly links: ReadonlyMap<string, Entry.Outcome> | null
}

/** An open call, which only this module may change. */
interface Writable extends OpenCall {
  readonly requests: Array<{ -readonly [Key in keyof AskedRequest]: AskedRequest[Key] }>
  readonly intents: Array<Entry.BodyOf<"CallStarted">>
  deferred: boolean
  links: Map<string, Entry.Outcome> | null
}

export interface OpenCallsState {
  readonly openCalls: Map<ToolCallId, OpenCall>
  /** The model of the newest step; null: there was none. */
  model: string | null
}

/** The state before the first entry. */
export const empty = (): OpenCallsState => ({ openCalls: new Map(), model: null })

/** Applies one entry. Returns the call that it ends, in its last state; null: it ends no open call. */
export const append = (
  state: OpenCallsState,
  { body, labels }: Pick<Entry.Entry, "body" | "labels">
): OpenCall | null => {
  switch (body._tag) {
    case "StepStarted":
      state.model = body.model
      return null
    case "ModelReplied":
      takeReply(state, body, labels)
      return null
    case "ApprovalAsked":
      callOf(state, body.request).requests.push({ request: body.request, decided: null })
      return null
    case "ApprovalDecided":
      decide(state, body)
      return null
    case "CallStarted":
      callOf(state, body).intents.push(body)
      return null
    case "CallDeferred": {
      const open = state.openCalls.get(body.toolCallId) as Writable | undefined
      if (open !== undefined) open.deferred = true
      return null
    }
    case "CallEnded": {
      const open = state.openCalls.get(body.toolCallId) ?? linkIn(state, body)
      state.openCalls.delete(body.toolCallId)
      endLink(state, body)
      return open
    }
    case "SessionOpened":
    case "UserMessage":
    case "ContextAdded":
    case "ChildSpawned":
    case "ChildEnded":
    case "RuleGiven":
    case "RuleRevoked":
    case "CommandEnded":
    case "Compacted":
    case "SamplingStarted":
    case "SamplingEnded":
    case "StateChanged":
    case "SessionEnded":
      return null
  }
}

/** Opens the calls of a reply; an interrupted reply requests none. */
const takeReply = (
  { model, openCalls }: OpenCallsState,
  { completion, parts, step, turn }: Entry.BodyOf<"ModelReplied">,
  labels: ReadonlyArray<Label>
): void => {
  if (completion === "interrupted") return
  for (const part of parts) {
    if (part._tag !== "ToolCall") continue
    openCalls.set(part.toolCallId, newOpenCall(part, { turn, step, model }, labels))
  }
}

/** Returns the open call. If no reply contains a call, a user made it. */
const callOf = (
  { openCalls }: OpenCallsState,
  { tool, toolCallId }: { readonly tool: string; readonly toolCallId: ToolCallId }
): Writable => {
  const known = openCalls.get(toolCallId)
  if (known !== undefined) return known as Writable
  const openCall = linkIn({ openCalls }, { tool, toolCallId }) ?? newOpenCall(callBy(tool, toolCallId), null, [])
  openCalls.set(toolCallId, openCall)
  return openCall
}

const endLink = (state: OpenCallMap, { outcome, toolCallId }: Entry.BodyOf<"CallEnded">): void => {
  const link = linkOf(toolCallId)
  const chain = link === null ? undefined : (state.openCalls.get(link.chain) as Writable | undefined)
  if (link !== null && chain !== undefined) (chain.links ??= new Map()).set(link.link, outcome)
}

const callBy = (tool: string, toolCallId: ToolCallId): ToolCall => ({
  _tag: "ToolCall",
  toolCallId,
  providerCallId: "",
  name: tool,
  arguments: ""
})

type OpenCallMap = Pick<OpenCallsState, "openCalls">

const chainOf = ({ openCalls }: OpenCallMap, toolCallId: ToolCallId): { readonly chain: Writable } | null => {
  const link = linkOf(toolCallId)
  const chain = link === null ? undefined : openCalls.get(link.chain)
  return chain === undefined ? null : { chain: chain as Writable }
}

/**
 * Opens a link of an open chain, as requested by the reply that requested the chain; null: the call is not such a link.
 */
const linkIn = (
  state: OpenCallMap,
  { tool, toolCallId }: { readonly tool: string; readonly toolCallId: ToolCallId }
): Writable | null => {
  const found = chainOf(state, toolCallId)
  return found === null ? null : newOpenCall(callBy(tool, toolCallId), found.chain.askedFor, found.chain.labels)
}

/** True if the call is a link of an open chain: the chain itself runs it. */
export const isLinkOfOpen = (state: OpenCallMap, { call }: OpenCall): boolean =>
  chainOf(state, call.toolCallId) !== null

const newOpenCall = (call: ToolCall, askedFor: OpenCall["askedFor"], labels: OpenCall["labels"]): Writable => ({
  call,
  askedFor,
  labels,
  requests: [],
  intents: [],
  deferred: false,
  links: null
})

/**
 * Applies a decision to the call's newest request: a call makes a new request only after its previous one has ended.
 */
const decide = ({ openCalls }: OpenCallsState, decided: Entry.BodyOf<"ApprovalDecided">): void => {
  const open = openCalls.get(decided.toolCallId) as Writable | undefined
  const newest = open?.requests.at(-1)
  if (newest !== undefined) newest.decided = decided
}

/** Returns the newest intent; null: the call was never started, or needs none. */
export const newestIntent = ({ intents }: OpenCall): Entry.BodyOf<"CallStarted"> | null => intents.at(-1) ?? null

/** Returns the request that waits for a decision; null: there is none. */
export const pendingRequest = ({ requests }: OpenCall): Request | null => {
  const newest = requests.at(-1)
  return newest === undefined || newest.decided !== null ? null : newest.request
}

/** Returns all requests that wait for a decision, oldest first. */
export const pendingRequests = ({ openCalls }: Pick<OpenCallsState, "openCalls">): ReadonlyArray<Request> =>
  [...openCalls.values()].flatMap((open) => pendingRequest(open) ?? [])

/**
 * Returns the newest approval of the call; null: no user approved it. An approval of a host for a running command does
 * not allow the start of a call.
 */
export const approvalOf = ({ requests }: OpenCall): Entry.BodyOf<"ApprovalDecided"> | null =>
  requests.findLast(({ decided, request }) => request.reaches === undefined && decided?.decision._tag === "Approved")
    ?.decided ?? null

/** True if an approval of the call was requested. */
export const wasAsked = ({ requests }: OpenCall): boolean => requests.length > 0
