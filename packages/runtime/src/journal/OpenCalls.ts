/** The calls of a session that were asked for and have not ended: a part of `SessionState`. */
import type { Approval, Entry, Message, Receipt, Session } from "@bough/protocol"

export interface OpenCall {
  readonly call: Message.ToolCall
  readonly turn: number
  readonly step: number
  /** What marked the session when it was asked for. */
  readonly labels: ReadonlyArray<Session.Label>
  /** The newest intent; null: it was never started. */
  started: Entry.BodyOf<"CallStarted"> | null
  /** Who allowed the first attempt. */
  authority: Receipt.Authority | null
  /** The newest request for approval and what became of it; null: none was made. */
  asked: Approval.Request | null
  decided: Entry.BodyOf<"ApprovalDecided"> | null
  deferred: boolean
  /** A person called the tool: no reply asked for it, so a later process does not run it again. */
  readonly byPerson: boolean
}

export interface OpenCallsState {
  readonly openCalls: Map<Session.ToolCallId, OpenCall>
}

/** Where a session stands. */
interface Place {
  readonly turn: number
  readonly step: number
}

/** A reply asks for a call. */
export const requested = (
  { openCalls }: OpenCallsState,
  call: Message.ToolCall,
  at: Pick<OpenCall, "turn" | "step" | "labels">
): void => {
  openCalls.set(call.toolCallId, openCall(call, at, false))
}

/** A person is asked about a call. */
export const asked = (state: OpenCallsState & Place, request: Approval.Request): void => {
  const open = openOrByPerson(state, request)
  open.asked = request
  open.decided = null
}

export const decided = ({ openCalls }: OpenCallsState, decision: Entry.BodyOf<"ApprovalDecided">): void => {
  const open = openCalls.get(decision.toolCallId)
  if (open === undefined) return
  open.decided = decision
  if (decision.decision._tag === "Approved") {
    open.authority = { _tag: "User", approvalId: decision.approvalId, principal: decision.principal }
  }
}

export const started = (state: OpenCallsState & Place, intent: Entry.BodyOf<"CallStarted">): void => {
  openOrByPerson(state, intent).started = intent
}

export const deferred = ({ openCalls }: OpenCallsState, toolCallId: Session.ToolCallId): void => {
  const open = openCalls.get(toolCallId)
  if (open !== undefined) open.deferred = true
}

/** The call as it was until now; null: it was not open. */
export const ended = ({ openCalls }: OpenCallsState, toolCallId: Session.ToolCallId): OpenCall | null => {
  const open = openCalls.get(toolCallId) ?? null
  openCalls.delete(toolCallId)
  return open
}

/** The request of a call that waits for a decision; null: none does. */
export const pendingRequest = (open: OpenCall): Approval.Request | null =>
  open.asked !== null && open.decided === null ? open.asked : null

/** All requests that wait for a decision, oldest first. */
export const pendingRequests = ({ openCalls }: OpenCallsState): ReadonlyArray<Approval.Request> =>
  [...openCalls.values()].flatMap((open) => pendingRequest(open) ?? [])

/** What no reply has asked for, a person has called. */
const openOrByPerson = (
  { openCalls, step, turn }: OpenCallsState & Place,
  { tool, toolCallId }: Pick<Approval.Request, "tool" | "toolCallId">
): OpenCall => {
  const known = openCalls.get(toolCallId)
  if (known !== undefined) return known
  const call: Message.ToolCall = { _tag: "ToolCall", toolCallId, providerCallId: "", name: tool, arguments: "" }
  const made = openCall(call, { turn, step, labels: [] }, true)
  openCalls.set(toolCallId, made)
  return made
}

const openCall = (
  call: Message.ToolCall,
  { labels, step, turn }: Pick<OpenCall, "turn" | "step" | "labels">,
  byPerson: boolean
): OpenCall => ({
  call,
  turn,
  step,
  labels,
  started: null,
  authority: null,
  asked: null,
  decided: null,
  deferred: false,
  byPerson
})
