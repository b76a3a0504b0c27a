/**
 * When the context nears the model's window, the older part of the prompt gives way to a summary by the same model. The
 * entries stay in the journal, and `read_earlier` reads them.
 */
import { type Entry, Usage } from "@bough/protocol"
import * as Effect from "effect/Effect"
import type * as Budget from "./Budget.ts"
import * as CompactionRange from "./CompactionRange.ts"
import * as Guards from "./Guards.ts"
import type { ModelError } from "./Model.ts"
import * as Prompt from "./Prompt.ts"
import * as PromptBound from "./PromptBound.ts"
import * as Reply from "./Reply.ts"
import * as ReplyUsage from "./ReplyUsage.ts"
import { place, type Running } from "./Running.ts"
import type { LeaseLost, StoreFailed } from "./SessionStore.ts"
import * as Step from "./Step.ts"
import * as Tokens from "./Tokens.ts"
import * as Transcript from "./Transcript.ts"

/** How a pass went. Ineffective: the prompt is still long, or there is no summary. */
export interface Pass {
  readonly effective: boolean
  readonly usage: Usage.Usage
  /** What it would have taken, of which too little is left: nothing was asked. Null: it was. */
  readonly unmet: Budget.Demand | null
}

/** Why a turn stops after passes that did not help. */
export const hopeless =
  "the conversation stays too long for the model, though it was summarised twice: start a new session, fork this one before its long part, or choose a model with a larger context"

/** Shares of the window: where a pass begins, what of the newest messages stays, what it must come down to. */
const dueShare = 0.8
const tailShare = 0.3
const effectiveShare = 0.6
/** Of the window, for the text that is to be summarised. */
const transcriptShare = 0.6

/** Whether the next step would come near the window and there is something to summarise. Unknown windows are never near. */
export const isDue = (running: Running, guards: Guards.Guards): boolean => {
  const { contextTokens } = running.model
  return contextTokens !== null && tokensNow(running) > dueShare * contextTokens && isPossible(running, guards, false)
}

/** Whether there is something to summarise. */
export const isPossible = (running: Running, guards: Guards.Guards, tooLong: boolean): boolean =>
  rangeOf(running, guards, tooLong) !== null

/** Tokens of the prompt: what was last reported and an estimate of what was added since. */
const tokensNow = ({ journal, system }: Running): number => {
  const { characters, reported } = journal.prompt
  return reported === null
    ? (system.length + characters) / Tokens.charactersPerToken
    : reported.tokens + (characters - reported.characters) / Tokens.charactersPerToken
}

interface Size {
  /** What the prompt is to stay well below. */
  readonly windowTokens: number
  /** Of the system prompt and the declarations. */
  readonly fixedCharacters: number
  readonly tokensPerCharacter: number
}

/** A prompt that was found too long is itself the measure: the window is smaller than it. */
const sizeOf = (running: Running, tooLong: boolean): Size => {
  const { declarations, journal, model, system } = running
  const declared = JSON.stringify(declarations())
  const fixedCharacters = system.length + declared.length
  const characters = fixedCharacters + journal.prompt.characters
  const tokens = Math.max(tokensNow(running), characters / Tokens.charactersPerToken)
  const window = model.contextTokens ?? tokens
  return {
    windowTokens: tooLong ? Math.min(window, tokens) : window,
    fixedCharacters,
    tokensPerCharacter: tokens / characters
  }
}

/** After a pass that did not help, only the newest step stays. */
const rangeOf = (running: Running, guards: Guards.Guards, tooLong: boolean): CompactionRange.Range | null => {
  const { prompt, state } = running.journal
  const { tokensPerCharacter, windowTokens } = sizeOf(running, tooLong)
  const tailCharacters = guards.ineffective > 0 ? 0 : (tailShare * windowTokens) / tokensPerCharacter
  return CompactionRange.choose(prompt, new Set(state.openCalls.keys()), tailCharacters)
}

/** What a person's wish came to. `usage` null: there was nothing to summarise, and nothing was asked of the model. */
export interface Wished {
  readonly isShorter: boolean
  readonly usage: Usage.Usage | null
}

/** One pass at a person's wish, between turns: the prompt as it is now is taken for too long. */
export const onWish = Effect.fnUntraced(function* (
  running: Running
): Effect.fn.Return<Wished, ModelError | LeaseLost | StoreFailed> {
  const { journal } = running
  if (!isPossible(running, Guards.initial, true)) return { isShorter: false, usage: null }
  const before = journal.prompt.characters
  const { usage } = yield* run(running, Guards.initial, true)
  yield* journal.append({
    bodies: [],
    projections: [{ _tag: "SessionState", sessionId: journal.sessionId, state: "Suspended" }]
  })
  return { isShorter: journal.prompt.characters < before, usage }
})

/** One pass. Its model call is a step of its own; the summary and the step's end are one commit. */
export const run = Effect.fnUntraced(function* (
  running: Running,
  guards: Guards.Guards,
  tooLong: boolean
): Effect.fn.Return<Pass, ModelError | LeaseLost | StoreFailed> {
  const { journal } = running
  const range = rangeOf(running, guards, tooLong)
  if (range === null) return nothing
  const size = sizeOf(running, tooLong)
  const maxCharacters = (transcriptShare * size.windowTokens) / size.tokensPerCharacter / 2 ** guards.ineffective
  const asked = yield* ask(running, Transcript.text(journal.prompt, range.end, maxCharacters))
  if (asked === null) return nothing
  if ("promptTokens" in asked) return { ...nothing, unmet: asked }
  const { counted, reply } = asked
  const compacted = compactedBy(running, range, reply)
  const shorter = compacted === null ? null : shortened(journal.prompt, range, compacted)
  yield* record(running, asked, shorter === null ? null : compacted)
  const after = shorter === null ? Infinity : (size.fixedCharacters + shorter) * size.tokensPerCharacter
  return { effective: after <= effectiveShare * size.windowTokens, usage: counted.usage, unmet: null }
})

/** A summary as it came, and what it counts as. */
interface Summary {
  readonly reply: Reply.State
  readonly counted: ReplyUsage.Counted
}

const nothing: Pass = { effective: false, usage: Usage.zero, unmet: null }

/** Null: the reply was cut, or the text is too long even for this. A demand: what is left is too little for it. */
const ask = Effect.fnUntraced(function* (running: Running, transcript: string) {
  const prompt = {
    system: Transcript.system,
    messages: [{ _tag: "User", text: `<conversation>\n${transcript}\n</conversation>`, media: [] }],
    tools: []
  } as const
  const { messages, system } = prompt
  const message = "summarising the older part of the conversation"
  const demand = PromptBound.demandFor(running, () => PromptBound.ofText(system) + PromptBound.ofText(messages[0].text))
  const begun = yield* Step.begin(running, {
    demandOf: () => demand,
    estimate: () => (system.length + transcript.length) / Tokens.charactersPerToken,
    purpose: "compaction"
  })
  if (begun === null) return demand
  yield* running.channel.publish({ _tag: "Notice", sessionId: running.journal.sessionId, message })
  const { bounds, reservedTokens } = begun
  const reply = Reply.empty()
  return yield* Step.receive(
    running,
    { ...prompt, ...bounds },
    { reply, reservedTokens, show: () => Effect.void, showRest: null }
  ).pipe(
    Effect.map((isWhole): Summary | null =>
      isWhole ? { reply, counted: ReplyUsage.whole(running, reply, reservedTokens) } : null
    ),
    Effect.catchIf(
      (error) => error._tag === "ModelError" && (error.reason === "StreamCut" || error.reason === "TooLong"),
      () => Effect.succeed(null)
    )
  )
})

/** Null: what came is no whole summary. */
const compactedBy = (
  running: Running,
  { fromSeq, throughSeq }: CompactionRange.Range,
  reply: Reply.State
): Entry.BodyOf<"Compacted"> | null => {
  const said = textOf(running, reply).trim()
  const isWhole = reply.end?.reason === "stop" || reply.end?.reason === "other"
  if (said === "" || reply.calls.size > 0 || !isWhole) return null
  return {
    _tag: "Compacted",
    fromSeq,
    throughSeq,
    summary: [said, ...lastWords(running.journal.prompt, throughSeq)].join("\n\n")
  }
}

const textOf = (running: Running, reply: Reply.State): string =>
  Step.partsOf(running, reply)
    .flatMap((part) => (part._tag === "Text" ? [part.text] : []))
    .join("")

/** What the person asked for last is kept word for word, whatever the model makes of it. */
const lastWords = ({ newestRequest }: Prompt.State, throughSeq: number): ReadonlyArray<string> =>
  newestRequest === null || newestRequest.seq > throughSeq
    ? []
    : [`The person's newest message, entry ${newestRequest.seq}:\n${Transcript.shorten(newestRequest.text, 4000)}`]

/** Characters of the messages afterwards; null: no fewer than now. */
const shortened = (
  { characters, messages, sources }: Prompt.State,
  { end }: CompactionRange.Range,
  compacted: Entry.BodyOf<"Compacted">
): number | null => {
  const dropped = messages
    .slice(0, end)
    .filter((_, index) => sources[index].kind !== "instruction")
    .reduce((sum, message) => sum + Prompt.charactersOf(message), 0)
  const added = Prompt.summaryText(compacted).length
  return added < dropped ? characters - dropped + added : null
}

const record = (running: Running, { counted, reply }: Summary, compacted: Entry.BodyOf<"Compacted"> | null) => {
  const at = place(running)
  const { unreported, usage } = counted
  const silence = unreported ? { unreported } : {}
  const text = textOf(running, reply)
  // A summary that is used is told once, by Compacted.
  const parts = compacted === null && text !== "" ? [{ _tag: "Text", text } as const] : []
  return Effect.andThen(
    running.journal.append({
      bodies: [
        { _tag: "ModelReplied", turn: at.turn, step: at.step, completion: "complete", parts, usage, ...silence },
        ...(compacted === null ? [] : [compacted])
      ],
      projections: [{ _tag: "SessionState", sessionId: at.sessionId, state: "Active" }]
    }),
    running.channel.publish({ _tag: "StepEnded", ...at, usage, completion: "complete" })
  )
}
