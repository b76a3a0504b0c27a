/** The state of a session as a fold over its entries: everything that a new process needs to continue. */
import {
  type Artifact,
  Budget,
  Entry,
  OpenCalls,
  Principal,
  type Session,
  type SessionResult,
  Usage
} from "@bough/protocol"
import * as Result from "effect/Result"
import * as ContextSource from "./ContextSource.ts"
import * as RunningCommands from "./RunningCommands.ts"
import * as SeenImages from "./SeenImages.ts"
import * as UsageTotals from "./UsageTotals.ts"

export { totalSpent } from "./UsageTotals.ts"

/** A session that this one started. `result` null: it has not ended. */
export interface Child {
  readonly spawned: Entry.BodyOf<"ChildSpawned">
  result: SessionResult.SessionResult | null
}

export interface UnreflectedTurns {
  readonly fromSeq: number
  readonly turns: number
  /** Tools whose calls succeeded. */
  readonly tools: Set<string>
  /** True if every turn since then ended without a failure. */
  readonly isWhole: boolean
}

/** The output of a reflection as JSON text, with its labels. */
export interface ReflectionOutput {
  readonly output: string
  readonly labels: ReadonlyArray<Session.Label>
}

/** The state of a session. Only this module's folds change it; all other code reads it. */
export interface SessionState
  extends OpenCalls.OpenCallsState, RunningCommands.RunningCommands, UsageTotals.UsageTotals {
  opened: Entry.BodyOf<"SessionOpened"> | null
  nextSeq: number
  turn: number
  step: number
  /** True if a reply of the model is due, or if calls of its last reply have not ended. */
  turnOpen: boolean
  /**
   * True if an entry has arrived that no prompt has contained yet, so that the awaited reply does not respond to it.
   */
  unread: boolean
  readonly labels: Set<Session.Label>
  /** Digests of outputs that were truncated for this session. */
  readonly spilled: Set<string>
  /** The images that ended children saw, by their reference. */
  readonly seenImages: Map<string, SeenImages.SeenImage>
  /** Tools declared since the session began, by `use_tools` or by a Compacted entry, oldest first. */
  readonly declaredTools: Map<string, Session.ToolCallId | null>
  /** Requests for approval in this turn. */
  asks: number
  /** "Always" rules that users gave here, as written, each once. The rules of a tree are in its Main's journal. */
  rules: ReadonlyArray<string>
  readonly contexts: Set<string>
  /** The digest of the standing text that was added last, by source. */
  readonly standing: Map<ContextSource.StandingSource, string>
  lastText: string
  /** The reason why the last turn was closed although the model might have continued; null: it was not closed early. */
  closedReason: string | null
  /** True if the awaited or newest reply is a summary. */
  summarising: boolean
  /** The last copied entry: the entries up to it belong to another session, to which their cost was charged. */
  inheritedThrough: number
  /** The start of the newest step; everything before it is complete. */
  boundarySeq: number
  /** The children by id, oldest first. */
  readonly children: Map<Session.SessionId, Child>
  /** The children that have not ended. */
  readonly liveChildren: Set<Session.SessionId>
  /** The artifacts of a child's calls, and of those of its descendants. */
  readonly artifacts: Array<Artifact.Artifact>
  /** The output that a child returned, as JSON text; null: none yet. */
  returned: string | null
  /** How often a child was corrected because it returned an invalid output, or none at the end of its turn. */
  resultCorrections: number
  /** The activity since the last reflection that was not interrupted. */
  unreflected: UnreflectedTurns
  /** The newest complete reflection until a turn has read it; null: none. */
  offered: ReflectionOutput | null
  /** Set by the last entry only. */
  result: SessionResult.SessionResult | null
}

/** The state before the first entry. */
export const empty = (): SessionState => ({
  opened: null,
  nextSeq: 0,
  turn: 0,
  step: 0,
  turnOpen: false,
  unread: false,
  reservedTokens: 0,
  samplings: new Map(),
  ...OpenCalls.empty(),
  ...RunningCommands.empty(),
  labels: new Set(),
  spilled: new Set(),
  seenImages: new Map(),
  declaredTools: new Map(),
  asks: 0,
  rules: [],
  contexts: new Set(),
  standing: new Map(),
  usage: Usage.zero,
  isEstimated: false,
  limit: null,
  lastText: "",
  closedReason: null,
  summarising: false,
  inheritedThrough: 0,
  steps: 0,
  activeMillis: 0,
  boundarySeq: 0,
  children: new Map(),
  liveChildren: new Set(),
  spawns: 0,
  childrenSpent: Budget.nothing,
  artifacts: [],
  returned: null,
  resultCorrections: 0,
  unreflected: { fromSeq: 0, turns: 0, tools: new Set(), isWhole: false },
  offered: null,
  result: null
})

/** The name of the tool that declares other tools in its results. */
export const useToolsName = "use_tools"

/** The name of the tool by which a child returns its output. */
export const returnResultName = "return_result"

/** The runtime's message to a child whose turn ended without its output. */
export const resultReminder = `Give your result with ${returnResultName}: words alone are not delivered.`

/** The name of the tool that a Compacted entry declares. */
export const readEarlierName = "read_earlier"

/** Folds one entry in. */
export const append = (state: SessionState, entry: Pick<Entry.Entry, "body" | "labels" | "seq">): void => {
  const { body } = entry
  const endedCall = OpenCalls.append(state, entry)
  state.nextSeq = entry.seq + 1
  for (const label of entry.labels) state.labels.add(label)
  switch (body._tag) {
    case "SessionOpened":
      state.opened = body
      state.inheritedThrough = body.terms?.copied ?? 0
      state.limit = body.terms?.budget ?? null
      return
    case "UserMessage":
      if (isOwn(state) && isReminder(body)) state.resultCorrections += 1
      return appendMessage(state)
    case "ContextAdded":
      state.contexts.add(body.digest)
      if (ContextSource.isStanding(body.source)) state.standing.set(body.source, body.digest)
      return
    case "StepStarted":
      state.step = body.step
      state.boundarySeq = entry.seq
      state.unread = false
      state.summarising = body.purpose === "compaction"
      if (isOwn(state)) UsageTotals.reserveTokens(state, body)
      return
    case "ModelReplied":
      return appendReply(state, body)
    case "ApprovalAsked":
      state.asks += 1
      return
    case "ApprovalDecided":
      return giveRuleOf(state, body)
    case "CommandEnded":
      return RunningCommands.commandEnded(state, body)
    case "SamplingStarted":
      if (isOwn(state)) UsageTotals.samplingStarted(state, entry.seq, body)
      return
    case "SamplingEnded":
      if (isOwn(state)) UsageTotals.samplingEnded(state, body)
      return
    case "CallEnded":
      UsageTotals.callEnded(state, body)
      RunningCommands.callEnded(state, body)
      return appendEnd(state, body, endedCall)
    case "StateChanged":
      state.turnOpen = body.state === "Active"
      state.closedReason = state.turnOpen ? null : body.reason
      if (isOwn(state)) state.activeMillis += body.activeMillis ?? 0
      return
    case "SessionEnded":
      state.result = body.result
      state.turnOpen = false
      return
    case "ChildSpawned":
      state.children.set(body.childId, { spawned: body, result: null })
      state.liveChildren.add(body.childId)
      if (body.purpose === undefined) state.spawns += 1
      return
    case "ChildEnded":
      return appendChildEnd(state, body)
    case "RuleGiven":
      return giveRule(state, body.rule)
    case "RuleRevoked":
      state.rules = state.rules.filter((rule) => rule !== body.rule)
      return
    case "Compacted":
      declare(state, readEarlierName, null)
      return
    // `OpenCalls` folds these entries.
    case "CallStarted":
    case "CallDeferred":
      return
    default:
      return Entry.assertHandled(body)
  }
}

const appendMessage = (state: SessionState): void => {
  state.offered = null
  if (!state.turnOpen) {
    state.turn += 1
    state.step = 0
    state.asks = 0
    state.unreflected = { ...state.unreflected, turns: state.unreflected.turns + 1, isWhole: false }
  }
  state.turnOpen = true
  state.closedReason = null
}

const appendChildEnd = (
  state: SessionState,
  { childId, labels, purpose, result }: Entry.BodyOf<"ChildEnded">
): void => {
  const child = state.children.get(childId)
  if (child !== undefined) child.result = result
  state.liveChildren.delete(childId)
  if (isOwn(state)) state.childrenSpent = Budget.add(state.childrenSpent, result.usage)
  if (isChild(state) && isOwn(state)) SeenImages.addTo(state.artifacts, result.artifacts)
  for (const image of purpose === undefined ? SeenImages.imagesIn(result.artifacts) : []) {
    const reference = SeenImages.referenceOf(image)
    if (reference !== null) state.seenImages.set(reference, image)
  }
  // An interrupted reflection has covered nothing.
  if (purpose === "reflection" && result.status !== "Cancelled") {
    state.unreflected = { fromSeq: state.nextSeq, turns: 0, tools: new Set(), isWhole: false }
    state.offered =
      result.status === "Completed" && result.output !== null ? { output: result.output, labels: labels ?? [] } : null
  }
  if (purpose !== undefined) return
  // The model reads the result in a separate step.
  state.turnOpen = true
  state.unread = true
}

const isReminder = ({ principal, text }: Entry.BodyOf<"UserMessage">): boolean =>
  principal === Principal.runtime && text === resultReminder

const isChild = ({ opened }: SessionState): boolean => opened?.terms !== undefined

/** True if the current entry is this session's own and not a copy. */
const isOwn = ({ inheritedThrough, nextSeq }: SessionState): boolean =>
  nextSeq - 1 > inheritedThrough || inheritedThrough === 0

const appendReply = (state: SessionState, reply: Entry.BodyOf<"ModelReplied">): void => {
  if (isOwn(state)) UsageTotals.addReply(state, reply)
  if (state.summarising) return
  state.lastText = ""
  for (const part of reply.parts) if (part._tag === "Text") state.lastText += part.text
  if (reply.completion === "interrupted") return
  if (reply.parts.some(({ _tag }) => _tag === "ToolCall")) return
  state.turnOpen = state.unread
  state.unreflected = { ...state.unreflected, isWhole: !state.turnOpen }
}

/** Folds the rule of a decision; rules beyond the session are stored elsewhere. */
const giveRuleOf = (state: SessionState, { decision }: Entry.BodyOf<"ApprovalDecided">): void => {
  if (decision._tag !== "Approved" || decision.rule === null) return
  if ((decision.scope ?? "session") === "session") giveRule(state, decision.rule)
}

const giveRule = (state: SessionState, rule: string): void => {
  if (!state.rules.includes(rule)) state.rules = [...state.rules, rule]
}

/** Folds the end of a call. `open`: the state of the call before it; null: the call was not open. */
const appendEnd = (state: SessionState, ended: Entry.BodyOf<"CallEnded">, open: OpenCalls.OpenCall | null): void => {
  // The model reads the result of a deferred call in a separate step.
  if (open?.deferred === true) state.turnOpen = true
  if (isChild(state) && isOwn(state) && ended.receipt !== null) {
    state.artifacts.push(...ended.receipt.artifacts)
    SeenImages.addTo(state.artifacts, SeenImages.artifactsOf(ended, open?.call.arguments ?? ""))
  }
  if (ended.tool === returnResultName && ended.outcome._tag === "Failed" && isOwn(state)) state.resultCorrections += 1
  if (ended.outcome._tag !== "Succeeded") return
  state.unreflected.tools.add(ended.tool)
  const blob = Entry.modelBlob(ended.outcome)
  if (blob !== null) state.spilled.add(blob)
  if (ended.tool === returnResultName && open !== null) state.returned = open.call.arguments
  if (ended.tool !== useToolsName) return
  for (const name of namesOfDeclared(ended.outcome.output)) declare(state, name, ended.toolCallId)
}

/** `by` null: no call requested the declaration. A tool that is already declared keeps its position. */
const declare = ({ declaredTools }: SessionState, name: string, by: Session.ToolCallId | null): void => {
  if (!declaredTools.has(name)) declaredTools.set(name, by)
}

/** Reads the declared tools; a truncated output, or that of another tool, declares none. */
const namesOfDeclared = (output: string): ReadonlyArray<string> => {
  const parsed = Result.getOrNull(Result.try(() => JSON.parse(output) as unknown))
  const names = (parsed as { readonly declared?: unknown } | null)?.declared
  return Array.isArray(names) ? names.filter((name) => typeof name === "string") : []
}

/** True if a child works on the request of a call. */
export const hasWorkingChildren = ({ children, liveChildren }: SessionState): boolean => {
  for (const childId of liveChildren) if (children.get(childId)?.spawned.purpose === undefined) return true
  return false
}
