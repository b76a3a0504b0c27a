/**
 * A conversation as it stands: a fold of the events that pass by. What is finished comes out as blocks, once; what is
 * left is what a frame shows. Pure; nothing here is escaped or laid out.
 */
import type { NoteIndex } from "@bough/memory"
import { type Entry, type Event, type Session, type Tier, Usage } from "@bough/protocol"
import * as EventText from "../../format/EventText.ts"
import type { Block } from "./Block.ts"
import * as CollapsedOutputs from "./CollapsedOutputs.ts"
import * as MarkdownStream from "@bough/tui/markdown/MarkdownStream"
import * as PlanView from "./PlanView.ts"

/** A call that was asked for and has not ended. */
export interface Call {
  readonly toolCallId: string
  readonly tool: string
  readonly arguments: string
  /** Null: not started. */
  readonly tier: Tier.Tier | null
  readonly startedAtMillis: number | null
  /** The last progress of the call. */
  readonly progress: string
  /** A question has shown what it would do. */
  readonly wasAsked: boolean
  /** It waits for a person, and the turn does not wait for it. */
  readonly isPutAside: boolean
}

export interface Working {
  readonly startedAtMillis: number
  readonly step: number
  /** It was asked to stop. */
  readonly stopping: boolean
  /** Nothing is left to do but what a person decides about. */
  readonly waiting: boolean
}

export interface Transcript {
  readonly sessionId: string
  readonly working: Working | null
  readonly answer: MarkdownStream.StreamState
  /** The reasoning since the model last spoke; kept only if it is shown. */
  readonly reasoning: string
  readonly isReasoning: boolean
  readonly calls: ReadonlyArray<Call>
  readonly plan: PlanView.Plan.Plan | null
  /** The usage of the session and its ended descendants. */
  readonly usage: Usage.Usage
  /** Tokens of the newest prompt and its reply; null: not known yet. */
  readonly contextTokens: number | null
  /** Sessions below this one that have not ended. */
  readonly branches: ReadonlyMap<string, Session.SessionState>
  readonly folds: CollapsedOutputs.CollapsedOutputs
  /** Messages that wait until the turn is over. */
  readonly followUps: ReadonlyArray<string>
  readonly showsReasoning: boolean
  /** The command that the user runs; null: none. */
  readonly ownCommand: string | null
  /** How far the index of notes is that is built in the background; null: none is. */
  readonly indexing: NoteIndex.Building | null
}

export interface Change {
  readonly view: Transcript
  readonly blocks: ReadonlyArray<Block>
}

export const make = (sessionId: string, showsReasoning: boolean): Transcript => ({
  sessionId,
  working: null,
  answer: MarkdownStream.initial,
  reasoning: "",
  isReasoning: false,
  calls: [],
  plan: null,
  usage: Usage.zero,
  contextTokens: null,
  branches: new Map(),
  folds: CollapsedOutputs.empty,
  followUps: [],
  showsReasoning,
  ownCommand: null,
  indexing: null
})

const unchanged = (view: Transcript): Change => ({ view, blocks: [] })

/** The turn begins. */
export const started = (view: Transcript, nowMillis: number): Transcript => ({
  ...view,
  working: { startedAtMillis: nowMillis, step: 0, stopping: false, waiting: false }
})

/** It was asked to stop, and has not yet. */
export const stopping = (view: Transcript): Transcript => ({
  ...view,
  working: view.working === null ? null : { ...view.working, stopping: true }
})

/** Takes one event in, at the time that the clock of the screen shows. */
export const take = (view: Transcript, event: Event.Event, nowMillis: number): Change => {
  // Whichever session says it: it is told with the words.
  if (event._tag === "MessageSent") {
    return { view, blocks: [{ _tag: "Message", from: event.from, text: event.text }] }
  }
  if (event.sessionId !== view.sessionId) return unchanged(ofBranch(view, event))
  switch (event._tag) {
    case "TextDelta":
      return spoke({ ...view, answer: MarkdownStream.push(view.answer, event.text), isReasoning: false }, view)
    case "ReasoningDelta":
      return unchanged({
        ...view,
        isReasoning: true,
        reasoning: view.showsReasoning ? view.reasoning + event.text : ""
      })
    case "StepStarted":
      return unchanged({ ...view, working: view.working === null ? null : { ...view.working, step: event.step } })
    case "StepEnded":
      return stepEnded(view, event)
    case "ToolRequested": {
      const { toolCallId, tool } = event
      const call = {
        toolCallId,
        tool,
        arguments: event.arguments,
        tier: null,
        startedAtMillis: null,
        progress: "",
        wasAsked: false,
        isPutAside: false
      }
      return finishAnswer({ ...view, calls: [...view.calls, call] })
    }
    case "ToolStarted":
      return unchanged(withCall(view, event.toolCallId, { tier: event.tier, startedAtMillis: nowMillis }))
    case "ToolProgressed":
      return unchanged(withCall(view, event.toolCallId, { progress: event.message }))
    case "ToolDeferred":
      return noted(withCall(view, event.toolCallId, { isPutAside: true }), EventText.deferred(event.tool))
    case "ToolEnded":
      return toolEnded(view, event)
    case "ApprovalAsked":
      return unchanged(withCall(view, event.request.toolCallId, { wasAsked: true }))
    case "ApprovalEnded":
      // What a person decides here is told by the question itself.
      return unchanged(view)
    case "ChildSpawned":
      // The call that started it says so.
      return unchanged(event.purpose === undefined ? withBranch(view, event.childId, "Active") : view)
    case "ChildEnded": {
      const { childId, kind, result } = event
      const spent = { ...view, usage: Usage.add(view.usage, { ...result.usage, cachedInputTokens: 0 }) }
      if (event.purpose !== undefined) return unchanged(spent)
      return { view: withBranch(spent, childId, result.status), blocks: [{ _tag: "ChildEnded", kind, result }] }
    }
    case "Notice":
      return noted(view, event.message)
    case "TurnStarted":
      return unchanged(waiting(view, false))
    case "TurnEnded":
      return unchanged(waiting(view, event.status === "suspended"))
    // Who waits for a turn is told of its failure as its end.
    case "TurnFailed":
    case "Attached":
    case "FileChanged":
    case "StateChanged":
      return unchanged(view)
  }
}

const waiting = (view: Transcript, isWaiting: boolean): Transcript => ({
  ...view,
  working: view.working === null ? null : { ...view.working, waiting: isWaiting }
})

const noted = (view: Transcript, text: string): Change => ({ view, blocks: [{ _tag: "Note", text, tone: "plain" }] })

/** Puts the reasoning before the text that follows it. */
const spoke = (view: Transcript, before: Transcript): Change =>
  before.reasoning === ""
    ? unchanged(view)
    : { view: { ...view, reasoning: "" }, blocks: [{ _tag: "Reasoning", text: before.reasoning }] }

const stepEnded = (
  view: Transcript,
  { completion, usage }: Extract<Event.Event, { readonly _tag: "StepEnded" }>
): Change => {
  const { inputTokens, outputTokens } = usage
  // Of an answer that was stopped nobody told how long the prompt was.
  const isKnown = completion === "complete" && inputTokens + outputTokens > 0
  const contextTokens = isKnown ? inputTokens + outputTokens : view.contextTokens
  return finishAnswer({ ...view, usage: Usage.add(view.usage, usage), contextTokens })
}

const toolEnded = (view: Transcript, event: Extract<Event.Event, { readonly _tag: "ToolEnded" }>): Change => {
  const call = view.calls.find(({ toolCallId }) => toolCallId === event.toolCallId)
  const given = call?.arguments ?? ""
  const { outcome, tool } = event
  const plan =
    tool === PlanView.toolName && outcome._tag === "Succeeded"
      ? (PlanView.fromArguments(given) ?? view.plan)
      : view.plan
  const [folds, fold] = CollapsedOutputs.add(view.folds, tool, outcome)
  const calls = view.calls.filter(({ toolCallId }) => toolCallId !== event.toolCallId)
  if (call === undefined && view.ownCommand !== null) {
    return { view: { ...view, folds }, blocks: [{ _tag: "Command", command: view.ownCommand, outcome, fold }] }
  }
  return {
    view: { ...view, plan, folds, calls },
    blocks: [
      {
        _tag: "Call",
        tool,
        arguments: given,
        tier: call?.tier ?? null,
        outcome,
        wasAsked: call?.wasAsked ?? false,
        fold
      }
    ]
  }
}

const withCall = (view: Transcript, toolCallId: string, change: Partial<Call>): Transcript => ({
  ...view,
  calls: view.calls.map((call) => (call.toolCallId === toolCallId ? { ...call, ...change } : call))
})

/** The answer so far is whole: what follows is something else. */
const finishAnswer = (view: Transcript): Change => {
  const reasoning: ReadonlyArray<Block> = view.reasoning === "" ? [] : [{ _tag: "Reasoning", text: view.reasoning }]
  return {
    view: { ...view, answer: MarkdownStream.initial, reasoning: "", isReasoning: false },
    blocks: [...reasoning, ...MarkdownStream.end(view.answer).map((piece): Block => ({ _tag: "Answer", piece }))]
  }
}

/** Hands out what can no longer change; once a frame, not for each event. */
export const settle = (view: Transcript): Change => {
  const { pieces, state } = MarkdownStream.settle(view.answer)
  return pieces.length === 0
    ? unchanged(view)
    : { view: { ...view, answer: state }, blocks: pieces.map((piece): Block => ({ _tag: "Answer", piece })) }
}

/** The turn is over, however it ended. Calls that are left were stopped. */
export const finished = (view: Transcript): Change => {
  const { blocks, view: after } = finishAnswer(view)
  const stopped = view.calls.map((call): Block => {
    const reason = call.startedAtMillis === null ? "not run" : "stopped before it finished"
    const outcome: Entry.Outcome = { _tag: "NotRun", reason }
    const { arguments: given, tier, tool, wasAsked } = call
    return { _tag: "Call", tool, arguments: given, tier, outcome, wasAsked, fold: null }
  })
  const plan: ReadonlyArray<Block> =
    after.plan !== null && PlanView.isDone(after.plan) && after.plan.items.length > 0
      ? [{ _tag: "Plan", plan: after.plan }]
      : []
  return {
    view: { ...after, calls: [], working: null, plan: plan.length === 0 ? after.plan : null },
    blocks: [...blocks, ...stopped, ...plan]
  }
}

const ofBranch = (view: Transcript, event: Event.Event): Transcript =>
  event._tag === "StateChanged" ? withBranch(view, event.sessionId, event.state) : view

/** Only those that go on are kept. */
const withBranch = (view: Transcript, sessionId: string, state: Session.SessionState): Transcript => {
  const branches = new Map(view.branches)
  if (state === "Active" || state === "Suspended") branches.set(sessionId, state)
  else branches.delete(sessionId)
  return { ...view, branches }
}
