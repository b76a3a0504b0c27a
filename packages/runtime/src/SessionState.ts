/** Where a session stands, as a fold over its entries: what a fresh process needs to go on. */
import { type Approval, type Entry, type Message, type Receipt, Session, Usage } from "@bough/protocol"

/** A call that was asked for and has not ended. */
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

/** Owned by one folder and read by everyone else. */
export interface State {
  opened: Entry.BodyOf<"SessionOpened"> | null
  nextSeq: number
  turn: number
  step: number
  /** The model owes a reply, or calls of its last one have not ended. */
  turnOpen: boolean
  /** A reply was asked for and is not in the journal: its reservation counts as spent. */
  reservedTokens: number
  readonly openCalls: Map<Session.ToolCallId, OpenCall>
  readonly labels: Set<Session.Label>
  /** Digests of outputs that this session was shown cut. */
  readonly spilled: Set<string>
  /** Tools declared since the session began, by `use_tools` or by a Compacted entry, oldest first. */
  readonly declaredTools: Set<string>
  /** "Always" rules of this session, as written. */
  readonly rules: Array<string>
  readonly contexts: Set<string>
  usage: Usage.Usage
  lastText: string
  /** The reply that is awaited, or came last, is a summary. */
  summarising: boolean
  ended: boolean
}

export const empty = (): State => ({
  opened: null,
  nextSeq: 0,
  turn: 0,
  step: 0,
  turnOpen: false,
  reservedTokens: 0,
  openCalls: new Map(),
  labels: new Set(),
  spilled: new Set(),
  declaredTools: new Set(),
  rules: [],
  contexts: new Set(),
  usage: Usage.zero,
  lastText: "",
  summarising: false,
  ended: false
})

/** The name of the tool whose results declare other tools. */
export const useToolsName = "use_tools"

/** The name of the tool that a Compacted entry declares. */
export const readEarlierName = "read_earlier"

/** Takes one entry in. */
export const append = (state: State, entry: Pick<Entry.Entry, "body" | "labels" | "seq">): void => {
  const { body } = entry
  state.nextSeq = entry.seq + 1
  for (const label of entry.labels) state.labels.add(label)
  switch (body._tag) {
    case "SessionOpened":
      state.opened = body
      return
    case "UserMessage":
      if (!state.turnOpen) {
        state.turn += 1
        state.step = 0
      }
      state.turnOpen = true
      return
    case "ContextAdded":
      state.contexts.add(body.digest)
      return
    case "StepStarted":
      state.step = body.step
      state.summarising = body.purpose === "compaction"
      state.reservedTokens += body.reservedTokens
      return
    case "ModelReplied":
      return appendReply(state, body, entry.labels)
    case "ApprovalAsked": {
      const open = openOrByPerson(state, body.request.toolCallId, body.request.tool)
      open.asked = body.request
      open.decided = null
      return
    }
    case "ApprovalDecided":
      return appendDecision(state, body)
    case "CallStarted":
      openOrByPerson(state, body.toolCallId, body.tool).started = body
      return
    case "CallDeferred": {
      const open = state.openCalls.get(body.toolCallId)
      if (open !== undefined) open.deferred = true
      return
    }
    case "CallEnded":
      return appendEnd(state, body)
    case "StateChanged":
      state.turnOpen = body.state === "Active"
      return
    case "SessionEnded":
      state.ended = true
      state.turnOpen = false
      return
    case "ChildSpawned":
    case "ChildEnded":
    case "CommandEnded":
      return
    case "Compacted":
      state.declaredTools.add(readEarlierName)
      return
  }
}

const appendReply = (state: State, reply: Entry.BodyOf<"ModelReplied">, labels: ReadonlyArray<Session.Label>): void => {
  state.reservedTokens = 0
  state.usage = Usage.add(state.usage, reply.usage)
  if (state.summarising) return
  state.lastText = ""
  for (const part of reply.parts) if (part._tag === "Text") state.lastText += part.text
  if (reply.completion === "interrupted") return
  let calls = 0
  for (const part of reply.parts) {
    if (part._tag !== "ToolCall") continue
    calls += 1
    state.openCalls.set(part.toolCallId, openCall(part, { ...reply, labels }))
  }
  if (calls === 0) state.turnOpen = false
}

const openCall = (call: Message.ToolCall, at: Pick<OpenCall, "turn" | "step" | "labels">): OpenCall => ({
  call,
  turn: at.turn,
  step: at.step,
  labels: at.labels,
  started: null,
  authority: null,
  asked: null,
  decided: null,
  deferred: false,
  byPerson: false
})

const openOrByPerson = (state: State, toolCallId: Session.ToolCallId, name: string): OpenCall => {
  const known = state.openCalls.get(toolCallId)
  if (known !== undefined) return known
  const call: Message.ToolCall = { _tag: "ToolCall", toolCallId, providerCallId: "", name, arguments: "" }
  const made = { ...openCall(call, { ...state, labels: [] }), byPerson: true }
  state.openCalls.set(toolCallId, made)
  return made
}

const appendDecision = (state: State, decided: Entry.BodyOf<"ApprovalDecided">): void => {
  const open = state.openCalls.get(decided.toolCallId)
  const { decision } = decided
  if (decision._tag === "Approved") {
    if (decision.rule !== null) state.rules.push(decision.rule)
    if (open !== undefined) {
      open.authority = { _tag: "User", approvalId: decided.approvalId, principal: decided.principal }
    }
  }
  if (open !== undefined) open.decided = decided
}

const appendEnd = (state: State, ended: Entry.BodyOf<"CallEnded">): void => {
  // The model reads the result of a deferred call in a step of its own.
  if (state.openCalls.get(ended.toolCallId)?.deferred === true) state.turnOpen = true
  state.openCalls.delete(ended.toolCallId)
  if (ended.outcome._tag !== "Succeeded") return
  if (ended.outcome.outputBlob !== null) state.spilled.add(ended.outcome.outputBlob)
  if (ended.tool === useToolsName) for (const name of declared(ended.outcome.output)) state.declaredTools.add(name)
}

const declared = (output: string): ReadonlyArray<string> => {
  const parsed: unknown = JSON.parse(output)
  const names = (parsed as { readonly declared?: unknown }).declared
  return Array.isArray(names) ? names.filter((name) => typeof name === "string") : []
}

/** The request of a call that waits for a decision; null: none does. */
export const pendingRequest = (open: OpenCall): Approval.Request | null =>
  open.asked !== null && open.decided === null ? open.asked : null

/** All requests that wait for a decision, oldest first. */
export const pendingRequests = (state: State): ReadonlyArray<Approval.Request> =>
  [...state.openCalls.values()].flatMap((open) => pendingRequest(open) ?? [])
