/**
 * The state of a conversation: a fold of recorded entries and of the live events before them. Finished parts are emitted
 * once as blocks; the frame shows the rest. Blocks are made from entries alone, so that a session looks the same live
 * and after it is reopened. Pure; nothing is escaped or laid out here.
 */
import type { NoteIndex } from "@bough/memory"
import { type Entry, Event, Session, Usage } from "@bough/protocol"
import { Title } from "@bough/runtime"
import type { Tool } from "@bough/tool"
import * as CallText from "../../format/CallText.ts"
import * as OutputText from "../../format/OutputText.ts"
import * as SamplingText from "../../format/SamplingText.ts"
import * as TaskText from "../../format/TaskText.ts"
import * as SentKey from "../../session/SentKey.ts"
import type { SessionUsage } from "../conversation/SessionUsage.ts"
import type { Block } from "./Block.ts"
import * as Branches from "./Branches.ts"
import * as Children from "./Children.ts"
import * as OpenCall from "./OpenCall.ts"
import * as PlanView from "./PlanView.ts"
import * as ProgressLines from "./ProgressLines.ts"
import * as RunningCommands from "./RunningCommands.ts"
import * as StreamedReply from "./StreamedReply.ts"

export type Call = OpenCall.OpenCall

export interface WorkingState {
  readonly startedAtMillis: number
  readonly step: number
  /** True: the user asked it to stop. */
  readonly stopping: boolean
  /** True if all remaining work waits for a user's decision. */
  readonly waiting: boolean
}

/** The plan of the agent; `isEarlier`: an earlier turn made it and the running turn has not changed it. */
export interface ShownPlan {
  readonly current: PlanView.Plan.Plan | null
  readonly isEarlier: boolean
}

/** The descendants of the session. */
export interface ShownTree {
  /** The kind of each session that a call started. */
  readonly kinds: ReadonlyMap<string, Session.Kind>
  /** The sessions that calls of this one started. */
  readonly children: Children.Children
  /** The number of descendants that have not ended. */
  readonly branches: Branches.Branches
}

/** The messages that no step of the model has read. */
export interface QueuedMessages {
  /** Messages for the agent's next step that the journal does not contain yet, oldest first. */
  readonly steering: ReadonlyArray<string>
  /** Messages that are queued until the turn has ended. */
  readonly followUps: ReadonlyArray<string>
}

/** The user who reads the transcript, and what the program knows before the first entry. */
export interface Reader {
  readonly showsReasoning: boolean
  /** The name under which decisions of this terminal's user are recorded; "": unknown. */
  readonly user: string
  /** The roles that tools declare, by name. */
  readonly roles: ReadonlyMap<string, Tool.Role>
}

export interface Transcript {
  readonly sessionId: string
  /** The session's title: the title that the user chose, else its first message; "" if it has neither. */
  readonly title: string
  readonly reader: Reader
  readonly working: WorkingState | null
  readonly reply: StreamedReply.StreamedReply
  readonly calls: ReadonlyArray<Call>
  readonly plan: ShownPlan
  readonly usage: SessionUsage
  /** The work of the newest turn: its active time, without waiting, and the usage of its replies. */
  readonly turn: { readonly activeMillis: number; readonly usage: Usage.Usage }
  readonly tree: ShownTree
  /** The background commands that are running. */
  readonly commands: RunningCommands.RunningCommands
  readonly queued: QueuedMessages
  /** The command that the user runs, with its newest progress; null: none. */
  readonly userCommand: { readonly text: string; readonly progress: ReadonlyArray<string> } | null
  /** The progress of the index of notes, which is built in the background; null: it is not being built. */
  readonly indexing: NoteIndex.IndexProgress | null
}

export interface Change {
  readonly view: Transcript
  readonly blocks: ReadonlyArray<Block>
}

export const make = (
  sessionId: string,
  showsReasoning: boolean,
  roles: ReadonlyMap<string, Tool.Role> = new Map()
): Transcript => ({
  sessionId,
  title: "",
  working: null,
  reply: StreamedReply.empty,
  calls: [],
  plan: { current: null, isEarlier: false },
  usage: { total: Usage.zero, isEstimated: false, contextTokens: null },
  turn: noWork,
  tree: { kinds: new Map(), children: Children.none, branches: new Map() },
  commands: RunningCommands.none,
  queued: { steering: [], followUps: [] },
  reader: { showsReasoning, user: "", roles },
  userCommand: null,
  indexing: null
})

const withoutBlocks = (view: Transcript): Change => ({ view, blocks: [] })

/** The turn begins. */
export const startTurn = (view: Transcript, nowMillis: number): Transcript => ({
  ...turnBegun(view),
  working: { startedAtMillis: nowMillis, step: 0, stopping: false, waiting: false }
})

/** Begins to count the work of a turn. */
export const turnBegun = (view: Transcript): Transcript => ({ ...view, turn: noWork })

const noWork = { activeMillis: 0, usage: Usage.zero }

/** Marks the turn as asked to stop. */
export const markStopping = (view: Transcript): Transcript => ({
  ...view,
  working: view.working === null ? null : { ...view.working, stopping: true }
})

/** Folds one event in, at the time of the screen's clock. */
export const take = (before: Transcript, event: Event.Event, nowMillis: number): Change => {
  const children = Children.applyEvent(before.tree.children, event, nowMillis)
  const commands = RunningCommands.take(before.commands, event)
  const isSame = children === before.tree.children && commands === before.commands
  const view = isSame ? before : { ...before, tree: { ...before.tree, children }, commands }
  // The message is shown for every session, because it contains its sender.
  if (event._tag === "MessageSent") {
    return { view, blocks: [{ _tag: "Message", from: event.from, text: event.text }] }
  }
  if (event.sessionId !== view.sessionId) return withoutBlocks(ofBranch(view, event))
  switch (event._tag) {
    case "TextDelta":
      return withReply(view, StreamedReply.addText(view.reply, event.text, view.reader.showsReasoning))
    case "ReasoningDelta":
      return withoutBlocks({ ...view, reply: StreamedReply.addReasoning(view.reply, event.text) })
    case "Recorded":
      return takeEntry(view, event.entry)
    case "ToolStarted":
      return withoutBlocks(withCall(view, event.toolCallId, { startedAtMillis: nowMillis }))
    case "ToolProgressed":
      return withoutBlocks(takeProgress(view, event))
    case "ApprovalAsked":
    // A decision made in this UI is shown by the question itself.
    case "ApprovalEnded":
      return withoutBlocks(view)
    case "Notice":
      return addNote(view, event.message)
    case "TurnStarted":
      return withoutBlocks(setWaiting(view, false))
    case "TurnEnded":
      return withoutBlocks(setWaiting(view, event.status === "suspended"))
    // A failed turn is reported where its caller waits for the end.
    case "TurnFailed":
    case "Attached":
      return withoutBlocks(view)
  }
}

/** Folds one entry of the session in. */
const takeEntry = (view: Transcript, { body }: Entry.Entry): Change => {
  switch (body._tag) {
    case "StepStarted":
      return withoutBlocks({ ...view, working: view.working === null ? null : { ...view.working, step: body.step } })
    case "ModelReplied":
      return takeReply(view, body)
    case "ApprovalAsked":
      return withoutBlocks(withCall(view, body.request.toolCallId, { wasAsked: true }))
    case "CallStarted":
      return withoutBlocks(withCall(view, body.toolCallId, { tier: body.tier }))
    case "CallDeferred": {
      const tool = view.calls.find(({ toolCallId }) => toolCallId === body.toolCallId)?.tool ?? "a call"
      return addNote(withCall(view, body.toolCallId, { isDeferred: true }), CallText.deferredText(tool))
    }
    case "CallEnded":
      return callEnded(view, body)
    case "ChildSpawned": {
      // The call that started it already shows it.
      if (body.purpose !== undefined) return withoutBlocks(view)
      const kinds = new Map(view.tree.kinds).set(body.childId, body.kind)
      return withoutBlocks(withDescendant({ ...view, tree: { ...view.tree, kinds } }, body.childId, "Active"))
    }
    case "ChildEnded": {
      const { childId, result } = body
      const spent = {
        ...view,
        usage: { ...view.usage, total: Usage.add(view.usage.total, { ...result.usage, cachedInputTokens: 0 }) }
      }
      const kind = view.tree.kinds.get(childId)
      if (body.purpose !== undefined || kind === undefined) return withoutBlocks(spent)
      const task = view.tree.children.get(childId)?.task ?? ""
      return {
        view: withDescendant(spent, childId, result.status),
        blocks: [{ _tag: "ChildEnded", kind, task, result }]
      }
    }
    case "CommandEnded":
      return addNote(view, TaskText.commandEndText(body))
    case "SamplingStarted":
      return addNote(view, SamplingText.headline(body))
    case "SamplingEnded": {
      const isEstimated = view.usage.isEstimated || body.estimated === true
      return addNote(
        { ...view, usage: { ...view.usage, total: Usage.add(view.usage.total, body.usage), isEstimated } },
        SamplingText.samplingEndText(body)
      )
    }
    case "Compacted":
      return addNote(view, `entries ${body.fromSeq} to ${body.throughSeq} are summarised`)
    case "UserMessage": {
      const titled = view.title === "" ? { ...view, title: Title.titleOf(body.text) } : view
      if (SentKey.isSent(body.messageId)) {
        return { view: titled, blocks: [{ _tag: "Said", text: body.text, note: "sent from another terminal" }] }
      }
      return showSteering(titled, body.text)
    }
    case "SessionOpened":
    case "ContextAdded":
    case "ApprovalDecided":
    case "RuleGiven":
    case "RuleRevoked":
    case "StateChanged":
    case "SessionEnded":
      return withoutBlocks(view)
  }
}

/** Shows a message for the next step once the journal contains it; the user already saw any other message. */
const showSteering = (view: Transcript, text: string): Change => {
  const after = removeSteering(view, text)
  return after === view ? withoutBlocks(view) : { view: after, blocks: [steeringBlock(text)] }
}

/** Shows a message as queued for the agent's next step. */
export const addSteering = (view: Transcript, text: string): Transcript => ({
  ...view,
  queued: { ...view.queued, steering: [...view.queued.steering, text] }
})

/** Removes a message that is about to be shown as the beginning of a turn. */
export const removeSteering = (view: Transcript, text: string): Transcript => {
  const at = view.queued.steering.indexOf(text)
  return at === -1 ? view : { ...view, queued: { ...view.queued, steering: view.queued.steering.toSpliced(at, 1) } }
}

export const steeringBlock = (text: string): Block => ({ _tag: "Said", text, note: "sent with the next step" })

const setWaiting = (view: Transcript, isWaiting: boolean): Transcript => ({
  ...view,
  working: view.working === null ? null : { ...view.working, waiting: isWaiting }
})

const addNote = (view: Transcript, text: string): Change => ({ view, blocks: [{ _tag: "Note", text, tone: "plain" }] })

const withReply = (view: Transcript, { blocks, reply }: StreamedReply.ReplyChange): Change => ({
  view: { ...view, reply },
  blocks
})

/** Ends the answer, and begins the calls that it requests. */
const takeReply = (
  view: Transcript,
  { activeMillis = 0, completion, estimated = false, parts, usage }: Entry.BodyOf<"ModelReplied">
): Change => {
  const { inputTokens, outputTokens } = usage
  // The provider does not report the prompt's length for an interrupted answer.
  const isKnown = completion === "complete" && inputTokens + outputTokens > 0
  const contextTokens = isKnown ? inputTokens + outputTokens : view.usage.contextTokens
  const requested = parts.flatMap((part) =>
    part._tag === "ToolCall" && completion === "complete" ? [OpenCall.fromPart(part)] : []
  )
  const calls = [...view.calls, ...requested]
  const isEstimated = view.usage.isEstimated || estimated
  const turn = {
    activeMillis: view.turn.activeMillis + activeMillis,
    // The usage of a turn is that of its complete replies.
    usage: completion === "complete" ? Usage.add(view.turn.usage, usage) : view.turn.usage
  }
  return finishAnswer({
    ...view,
    usage: { total: Usage.add(view.usage.total, usage), isEstimated, contextTokens },
    turn,
    calls
  })
}

const callEnded = (view: Transcript, { outcome, receipt, tool, toolCallId }: Entry.BodyOf<"CallEnded">): Change => {
  const call = view.calls.find((open) => open.toolCallId === toolCallId)
  // A call that no reply requested was made by a user: the receipt has its arguments.
  const callArguments = call?.arguments ?? receipt?.arguments ?? ""
  const role = view.reader.roles.get(tool) ?? null
  const newPlan = role === "Plan" && outcome._tag === "Succeeded" ? PlanView.fromArguments(callArguments) : null
  const hasOutput = outcome._tag === "Succeeded" && OutputText.formatOutput(outcome).text.trim() !== ""
  const calls = view.calls.filter((open) => open.toolCallId !== toolCallId)
  const isOwn = call === undefined && Session.linkOf(toolCallId) === null
  const command = view.userCommand?.text ?? CallText.commandOf(callArguments, role)
  if (isOwn && command !== null) return { view, blocks: [{ _tag: "Command", command, outcome, hasOutput }] }
  // A call that needs no intent has its tier in its receipt.
  const tier = call?.tier ?? receipt?.tier ?? null
  const wasAsked = call?.wasAsked ?? false
  return {
    view: { ...view, calls, ...(newPlan === null ? {} : { plan: { current: newPlan, isEarlier: false } }) },
    blocks: [{ _tag: "Call", tool, role, arguments: callArguments, tier, outcome, wasAsked, hasOutput }]
  }
}

const takeProgress = (
  view: Transcript,
  event: Extract<Event.Event, { readonly _tag: "ToolProgressed" }>
): Transcript => {
  const { toolCallId } = event
  const call = view.calls.find((open) => open.toolCallId === toolCallId)
  if (call === undefined) {
    const { userCommand } = view
    if (userCommand === null) return view
    return {
      ...view,
      userCommand: { ...userCommand, progress: ProgressLines.add(userCommand.progress, event.message) }
    }
  }
  return withCall(view, toolCallId, { progress: ProgressLines.add(call.progress, Event.progressLine(event)) })
}

const withCall = (view: Transcript, toolCallId: string, change: Partial<Call>): Transcript => ({
  ...view,
  calls: view.calls.map((call) => (call.toolCallId === toolCallId ? { ...call, ...change } : call))
})

const finishAnswer = (view: Transcript): Change =>
  withReply(view, StreamedReply.end(view.reply, view.reader.showsReasoning))

/** Returns the blocks that can no longer change; called once per frame, not per event. */
export const takeFinished = (view: Transcript): Change => {
  const change = StreamedReply.takeFinished(view.reply)
  return change.blocks.length === 0 ? withoutBlocks(view) : withReply(view, change)
}

/**
 * Ends the turn, however it ended. Remaining calls count as stopped. A message that no step has read stays above the
 * prompt: a later turn reads and shows it.
 */
export const finishTurn = (view: Transcript): Change => {
  const { blocks, view: after } = finishAnswer(view)
  const stopped = view.calls.map((call): Block => {
    const reason = call.startedAtMillis === null ? "not run" : "stopped before it finished"
    const outcome: Entry.Outcome = { _tag: "NotRun", reason }
    const { arguments: callArguments, tier, tool, wasAsked } = call
    const role = view.reader.roles.get(tool) ?? null
    return { _tag: "Call", tool, role, arguments: callArguments, tier, outcome, wasAsked, hasOutput: false }
  })
  const ended = turnOver({ ...after, calls: [] })
  return {
    view: { ...ended.view, working: null },
    blocks: [...blocks, ...stopped, ...ended.blocks]
  }
}

/**
 * Takes the plan out of the live area at the end of a turn: a finished plan as a block; an unfinished one only if it is
 * older than the turn, because it is then outdated.
 */
export const turnOver = (view: Transcript): Change => {
  const { current: plan, isEarlier } = view.plan
  if (plan === null) return withoutBlocks(view)
  const without: Transcript = { ...view, plan: { ...view.plan, current: null } }
  if (PlanView.isDone(plan)) return { view: without, blocks: plan.items.length === 0 ? [] : [{ _tag: "Plan", plan }] }
  return withoutBlocks(isEarlier ? without : { ...view, plan: { current: plan, isEarlier: true } })
}

const withDescendant = (view: Transcript, sessionId: string, state: Session.SessionState): Transcript => ({
  ...view,
  tree: { ...view.tree, branches: Branches.withState(view.tree.branches, sessionId, state) }
})

const ofBranch = (view: Transcript, event: Event.Event): Transcript =>
  event._tag === "Recorded" && event.entry.body._tag === "StateChanged"
    ? withDescendant(view, event.sessionId, event.entry.body.state)
    : view
