/**
 * The state of a conversation: a fold of the recorded entries of one session and of the live events. A session looks
 * the same while it runs and when it is read again, because recorded items replace the live ones. Pure.
 */
import type { CallItem, Item, TextItem } from "./Item.ts"
import type { Body, BodyOf, Entry, Frame, FrameOf } from "./Journal.ts"

export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
  /** The cost; null: the price of a part is not known. */
  readonly costUsd: number | null
}

export interface Conversation {
  readonly sessionId: string
  readonly items: ReadonlyArray<Item>
  /** The number of the newest entry that was applied; -1: none was. */
  readonly seq: number
  readonly model: string | null
  readonly isWorking: boolean
  readonly usage: Usage
  /** The tokens of the newest prompt and its reply; null: not known yet. */
  readonly contextTokens: number | null
  /** The ids of messages that the session has received, which are no longer queued. */
  readonly taken: ReadonlySet<string>
  /** The newest step whose complete reply is recorded; null: none is recorded. */
  readonly repliedStep: { readonly turn: number; readonly step: number } | null
  /** Steps whose reply is a summary for the model. */
  readonly summaries: ReadonlySet<string>
  readonly failure: string | null
}

export const empty = (sessionId: string): Conversation => ({
  sessionId,
  items: [],
  seq: -1,
  model: null,
  isWorking: false,
  usage: { inputTokens: 0, outputTokens: 0, costUsd: 0 },
  contextTokens: null,
  taken: new Set(),
  repliedStep: null,
  summaries: new Set(),
  failure: null
})

/** Applies one frame. Frames of other sessions and entries that were already applied are ignored. */
export const take = (before: Conversation, frame: Frame): Conversation => {
  if (!("sessionId" in frame) || frame.sessionId !== before.sessionId) return before
  switch (frame._tag) {
    case "Entry":
      return takeEntry(before, frame.entry)
    case "Delta":
      return withDelta(before, frame)
    case "ToolStarted":
      return withCall(before, frame.toolCallId, { status: "running", tier: frame.tier })
    case "ToolProgressed":
      return withCall(before, frame.toolCallId, { progress: progressLine(frame) })
    case "ApprovalAsked":
      return withCall(before, frame.request.toolCallId, { status: "waiting", request: frame.request })
    case "TurnStarted":
      return { ...before, isWorking: true, failure: null }
    case "TurnEnded":
      return { ...dropLive(before), isWorking: false, failure: null }
    case "TurnFailed":
      return { ...dropLive(before), isWorking: false, failure: frame.message }
    case "Notice":
    case "MessageSent":
      return append(before, noteOf(before, frame._tag === "Notice" ? frame.message : frame.text))
    case "ApprovalEnded":
      return before
  }
}

const progressLine = ({ message, percent }: FrameOf<"ToolProgressed">): string =>
  percent === undefined ? message : `${Math.floor(percent)} % ${message}`.trimEnd()

const noteOf = (before: Conversation, text: string): Item => ({
  _tag: "Note",
  key: `n${before.seq}.${before.items.length}`,
  entryId: null,
  text,
  tone: "plain",
  details: ""
})

/** Applies the entries of a page, oldest first. */
export const takeEntries = (before: Conversation, entries: ReadonlyArray<Entry>): Conversation =>
  entries.reduce(takeEntry, before)

const takeEntry = (before: Conversation, entry: Entry): Conversation =>
  entry.sessionId !== before.sessionId || entry.seq <= before.seq
    ? before
    : { ...applyEntry(before, entry, entry.body), seq: entry.seq }

const applyEntry = (before: Conversation, entry: Entry, body: Body): Conversation => {
  const at = { key: `e${entry.seq}`, entryId: entry.id }
  switch (body._tag) {
    case "UserMessage":
      return append(
        { ...before, isWorking: true, failure: null, taken: new Set(before.taken).add(body.messageId) },
        {
          _tag: "User",
          ...at,
          text: body.text,
          media: body.media,
          principal: body.principal,
          messageId: body.messageId
        }
      )
    case "StepStarted":
      return {
        ...before,
        isWorking: true,
        failure: null,
        model: body.model,
        summaries: body.purpose === undefined ? before.summaries : new Set(before.summaries).add(stepKey(body))
      }
    case "ModelReplied":
      return takeReply(before, entry, body)
    case "ApprovalAsked":
      return withCall(before, body.request.toolCallId, { status: "waiting", request: body.request })
    case "ApprovalDecided":
      return withCall(before, body.toolCallId, { decision: body, status: "requested" })
    case "CallStarted":
      return withCall(before, body.toolCallId, { tier: body.tier, status: "running" })
    case "CallDeferred":
      return withCall(before, body.toolCallId, { status: "deferred" })
    case "CallEnded":
      return callEnded(before, entry, body)
    case "ChildSpawned":
      return body.purpose === undefined
        ? append(before, {
            _tag: "Child",
            ...at,
            childId: body.childId,
            kind: body.kind,
            title: body.title,
            result: null
          })
        : before
    case "ChildEnded":
      return {
        ...replace(before, (item) =>
          item._tag === "Child" && item.childId === body.childId ? { ...item, result: body.result } : item
        ),
        usage: addUsage(before.usage, body.result.usage)
      }
    case "SamplingStarted":
      return append(before, {
        _tag: "Note",
        ...at,
        text: `${body.requester} asks ${body.model}`,
        tone: "plain",
        details: [body.system, ...body.messages.map(({ role, text }) => `${role}: ${text}`)].join("\n").trim()
      })
    case "SamplingEnded":
      return append(
        { ...before, usage: addUsage(before.usage, body.usage) },
        {
          _tag: "Note",
          ...at,
          text: body.failure === null ? `${body.model} answered the tool` : `No answer for the tool: ${body.failure}`,
          tone: "plain",
          details: body.text
        }
      )
    case "Compacted":
      return append(before, {
        _tag: "Note",
        ...at,
        text: `Earlier entries (${body.fromSeq} to ${body.throughSeq}) are summarised for the model`,
        tone: "plain",
        details: body.summary
      })
    case "RuleGiven":
      return append(before, { _tag: "Note", ...at, text: `Rule given: ${body.rule}`, tone: "plain", details: "" })
    case "RuleRevoked":
      return append(before, { _tag: "Note", ...at, text: `Rule revoked: ${body.rule}`, tone: "plain", details: "" })
    case "StateChanged":
      return stateChanged(before, at, body)
    case "SessionEnded":
      return takeSessionEnd(before, at, body)
    case "SessionOpened":
    case "ContextAdded":
    case "CommandEnded":
      return before
  }
}

const stepKey = ({ step, turn }: { readonly turn: number; readonly step: number }): string => `${turn}.${step}`

const append = (before: Conversation, item: Item): Conversation => ({ ...before, items: [...before.items, item] })

const replace = (before: Conversation, change: (item: Item) => Item): Conversation => ({
  ...before,
  items: before.items.map(change)
})

const isLive = (item: Item): item is TextItem => (item._tag === "Text" || item._tag === "Reasoning") && item.isLive

/**
 * Adds text to the unfinished reply: to its last part, or as a new part if the kind changes. A complete part replaces
 * its beginning, for example after a stream was opened again.
 */
const withDelta = (before: Conversation, { part, text, whole, ...at }: FrameOf<"Delta">): Conversation => {
  if (before.summaries.has(stepKey(at)) || isReplied(before, at)) return before
  const tag = part === "text" ? "Text" : "Reasoning"
  const prefix = `r${stepKey(at)}.`
  const isSameStep = (item: Item): item is TextItem => isLive(item) && item.key.startsWith(prefix)
  const items = whole ? before.items.filter((item) => !(isSameStep(item) && item._tag === tag)) : before.items
  const last = items.at(-1)
  if (last !== undefined && isSameStep(last) && last._tag === tag) {
    return { ...before, items: [...items.slice(0, -1), { ...last, text: last.text + text }] }
  }
  const index = 1 + Math.max(-1, ...items.filter(isSameStep).map(({ key }) => Number(key.slice(prefix.length))))
  return append(
    { ...before, items, isWorking: true },
    { _tag: tag, key: `${prefix}${index}`, entryId: null, text, isLive: true, isCut: false }
  )
}

/** Removes the partial reply, because the stream sends it again in full, or because it never ended. */
export const dropLive = (before: Conversation): Conversation =>
  before.items.some(isLive) ? { ...before, items: before.items.filter((item) => !isLive(item)) } : before

/**
 * Returns true if the reply is recorded already. A piece of a reply may arrive after the reply's entry, if the entry
 * was read while the piece was on its way.
 */
const isReplied = (
  { repliedStep }: Conversation,
  { step, turn }: { readonly turn: number; readonly step: number }
): boolean =>
  repliedStep !== null && (turn < repliedStep.turn || (turn === repliedStep.turn && step <= repliedStep.step))

const takeReply = (conversation: Conversation, entry: Entry, body: BodyOf<"ModelReplied">): Conversation => {
  const { step, turn } = body
  const before = body.completion === "interrupted" ? conversation : { ...conversation, repliedStep: { turn, step } }
  const { items } = dropLive(before)
  const usage = addUsage(before.usage, body.usage)
  if (before.summaries.has(stepKey(body))) return { ...before, items, usage }
  const used = new Set(items.map(({ key }) => key))
  const keyOf = (index: number): string => {
    const key = `r${stepKey(body)}.${index}`
    return used.has(key) ? `e${entry.seq}.${index}` : key
  }
  const isCut = body.completion === "interrupted"
  const parts = body.parts.flatMap((part): ReadonlyArray<Item> => {
    if (part._tag === "ToolCall") return isCut ? [] : [callOf(part.toolCallId, entry.id, part)]
    return part.text === ""
      ? []
      : [{ _tag: part._tag, key: "", entryId: entry.id, text: part.text, isLive: false, isCut }]
  })
  const counted = body.usage.inputTokens + body.usage.outputTokens
  return {
    ...before,
    items: [
      ...items,
      ...mergeText(parts).map((item, index) => (item._tag === "Call" ? item : { ...item, key: keyOf(index) }))
    ],
    usage,
    // A reply without calls ends a turn; a fork has no entry that records the end.
    isWorking: before.isWorking && (isCut || parts.some(({ _tag }) => _tag === "Call")),
    contextTokens: !isCut && counted > 0 ? counted : before.contextTokens
  }
}

/** Joins consecutive parts of one kind, as they were joined while they arrived. */
const mergeText = (parts: ReadonlyArray<Item>): ReadonlyArray<Item> => {
  const joined: Array<Item> = []
  for (const part of parts) {
    const last = joined.at(-1)
    if ((part._tag === "Text" || part._tag === "Reasoning") && last?._tag === part._tag) {
      joined[joined.length - 1] = { ...last, text: last.text + part.text }
    } else joined.push(part)
  }
  return joined
}

const callOf = (
  toolCallId: string,
  entryId: string | null,
  call: { readonly name: string; readonly arguments: string }
): CallItem => ({
  _tag: "Call",
  key: `c${toolCallId}`,
  entryId,
  toolCallId,
  tool: call.name,
  arguments: call.arguments,
  tier: null,
  status: "requested",
  progress: "",
  request: null,
  decision: null,
  outcome: null,
  artifacts: [],
  endedSeq: null,
  elapsedMillis: null
})

/** Changes a call unless it has ended: late events about the call precede its end. */
const withCall = (before: Conversation, toolCallId: string, change: Partial<CallItem>): Conversation =>
  replace(before, (item) =>
    item._tag === "Call" && item.toolCallId === toolCallId && item.status !== "ended" ? { ...item, ...change } : item
  )

const callEnded = (before: Conversation, entry: Entry, body: BodyOf<"CallEnded">): Conversation => {
  const { outcome, receipt, tool, toolCallId } = body
  const isKnown = before.items.some((item) => item._tag === "Call" && item.toolCallId === toolCallId)
  const call = { name: tool, arguments: receipt?.arguments ?? "" }
  const open = isKnown ? before : append(before, callOf(toolCallId, entry.id, call))
  return replace(open, (item) =>
    item._tag === "Call" && item.toolCallId === toolCallId
      ? {
          ...item,
          status: "ended",
          outcome,
          tier: receipt?.tier ?? item.tier,
          artifacts: receipt?.artifacts ?? [],
          endedSeq: entry.seq,
          elapsedMillis: receipt?.elapsedMillis ?? null
        }
      : item
  )
}

const stateChanged = (
  before: Conversation,
  at: { readonly key: string; readonly entryId: string },
  { reason, state }: BodyOf<"StateChanged">
): Conversation => {
  const isWorking = state === "Active"
  const after = isWorking ? { ...before, isWorking } : { ...dropLive(before), isWorking }
  return state === "Failed" || state === "Expired" || state === "Cancelled"
    ? append(after, {
        _tag: "Note",
        ...at,
        text: `Session ${state.toLowerCase()}${reason === "" ? "" : `: ${reason}`}`,
        tone: state === "Failed" ? "bad" : "plain",
        details: ""
      })
    : after
}

const takeSessionEnd = (
  before: Conversation,
  at: { readonly key: string; readonly entryId: string },
  { result }: BodyOf<"SessionEnded">
): Conversation => {
  const finished = { ...dropLive(before), isWorking: false }
  const isTold = finished.items.at(-1)?._tag === "Note"
  return isTold
    ? finished
    : append(finished, {
        _tag: "Note",
        ...at,
        text: `Session ${result.status.toLowerCase()}${result.reason === "" ? "" : `: ${result.reason}`}`,
        tone: result.status === "Failed" ? "bad" : "plain",
        details: ""
      })
}

export const addUsage = (a: Usage, b: Usage): Usage => ({
  inputTokens: a.inputTokens + b.inputTokens,
  outputTokens: a.outputTokens + b.outputTokens,
  costUsd: a.costUsd === null || b.costUsd === null ? null : a.costUsd + b.costUsd
})
