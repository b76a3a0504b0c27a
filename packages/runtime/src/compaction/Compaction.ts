/**
 * When the prompt nears the model's window, a summary by the same model replaces its older part. The entries stay in
 * the journal, and `read_earlier` reads them.
 */
import { type Entry, Usage } from "@bough/protocol"
import * as Effect from "effect/Effect"
import type * as Budget from "../budget/Budget.ts"
import * as PromptTokenBound from "../budget/PromptTokenBound.ts"
import * as ReplyUsage from "../budget/ReplyUsage.ts"
import * as Tokens from "../budget/Tokens.ts"
import { placeOf } from "../journal/Journal.ts"
import * as Prompt from "../journal/Prompt.ts"
import type { ModelError, Prompt as ModelPrompt } from "../ports/Model.ts"
import * as Reply from "../ports/Reply.ts"
import type { LeaseLost, StoreFailed } from "../ports/SessionStore.ts"
import type { ModelCaller } from "../session/ModelCaller.ts"
import * as Step from "../session/Step.ts"
import * as TurnGuards from "../session/TurnGuards.ts"
import { shortenMiddle } from "../shortenMiddle.ts"
import * as CompactionRange from "./CompactionRange.ts"
import * as SummaryTranscript from "./SummaryTranscript.ts"

/** The result of a pass. Ineffective: the prompt is still long, or there is no summary. */
export interface CompactionPass {
  readonly effective: boolean
  readonly usage: Usage.Usage
  /** The demand that the remaining budget did not cover, so that no request was sent; null: a request was sent. */
  readonly unmet: Budget.StepDemand | null
}

/** Returns the reason why a turn stops after passes that did not help. */
export const hopeless =
  "the conversation is still too long for the model after two summaries: start a new session, fork this one before its long part, or choose a model with a larger context"

/**
 * Shares of the window: the size at which a pass begins, the part that the newest messages keep, and the size to reach.
 */
const dueShare = 0.8
const tailShare = 0.3
const effectiveShare = 0.6
/** The part of the window that the summarised text may take. */
const transcriptShare = 0.6

/** True if the next step would come near the window and there is text to summarise. False if the window is unknown. */
export const isDue = (caller: ModelCaller, guards: TurnGuards.TurnGuards): boolean => {
  const { contextTokens } = caller.model
  return contextTokens !== null && tokensNow(caller) > dueShare * contextTokens && isPossible(caller, guards, false)
}

/** True if there is text to summarise. */
export const isPossible = (caller: ModelCaller, guards: TurnGuards.TurnGuards, tooLong: boolean): boolean =>
  rangeOf(caller, guards, tooLong) !== null

/** Returns the prompt's tokens: the last reported count plus an estimate for the text that was added since. */
const tokensNow = ({ journal, system }: ModelCaller): number => {
  const { characters, reported } = journal.prompt
  return reported === null
    ? (system.length + characters) / Tokens.charactersPerToken
    : reported.tokens + (characters - reported.characters) / Tokens.charactersPerToken
}

interface Size {
  /** The window that the prompt has to stay well below. */
  readonly windowTokens: number
  /** The characters of the system prompt and the declarations. */
  readonly fixedCharacters: number
  readonly tokensPerCharacter: number
}

/**
 * Returns the sizes to stay below. If the model found the prompt too long, the window is assumed to be smaller than the
 * prompt.
 */
const sizeOf = (caller: ModelCaller, tooLong: boolean): Size => {
  const { declarations, journal, model, system } = caller
  const declared = JSON.stringify(declarations())
  const fixedCharacters = system.length + declared.length
  const characters = fixedCharacters + journal.prompt.characters
  const tokens = Math.max(tokensNow(caller), characters / Tokens.charactersPerToken)
  const window = model.contextTokens ?? tokens
  return {
    windowTokens: tooLong ? Math.min(window, tokens) : window,
    fixedCharacters,
    tokensPerCharacter: tokens / characters
  }
}

/** After a pass that did not help, only the newest step stays. */
const rangeOf = (
  caller: ModelCaller,
  guards: TurnGuards.TurnGuards,
  tooLong: boolean
): CompactionRange.Range | null => {
  const { prompt, state } = caller.journal
  const { tokensPerCharacter, windowTokens } = sizeOf(caller, tooLong)
  const tailCharacters = guards.ineffective > 0 ? 0 : (tailShare * windowTokens) / tokensPerCharacter
  return CompactionRange.choose(prompt, new Set(state.openCalls.keys()), tailCharacters)
}

/**
 * The result of a compaction that a user asked for. `usage` null: there was no text to summarise, and no request was
 * sent.
 */
export interface CompactionResult {
  readonly isShorter: boolean
  /** Estimated tokens of the prompt. */
  readonly tokens: { readonly before: number; readonly after: number }
  readonly usage: Usage.Usage | null
}

/** Makes one pass between turns because a user asked for it: the current prompt is treated as too long. */
export const compactNow = Effect.fnUntraced(function* (
  caller: ModelCaller,
  focus: string
): Effect.fn.Return<CompactionResult, ModelError | LeaseLost | StoreFailed> {
  const { journal } = caller
  const { fixedCharacters, tokensPerCharacter } = sizeOf(caller, true)
  const tokensFor = (characters: number) => Math.round((fixedCharacters + characters) * tokensPerCharacter)
  const before = journal.prompt.characters
  if (!isPossible(caller, TurnGuards.initial, true)) {
    return { isShorter: false, tokens: { before: tokensFor(before), after: tokensFor(before) }, usage: null }
  }
  const { usage } = yield* pass(caller, TurnGuards.initial, { tooLong: true, inPlace: true, focus })
  yield* journal.append({
    bodies: [],
    projections: [{ _tag: "SessionState", sessionId: journal.sessionId, state: "Suspended" }]
  })
  const { characters } = journal.prompt
  const tokens = { before: tokensFor(before), after: tokensFor(characters) }
  return { isShorter: characters < before, tokens, usage }
})

/**
 * Makes one pass. The first one, before the window is full, appends its request to the conversation itself, which is
 * cached.
 */
export const run = (
  caller: ModelCaller,
  guards: TurnGuards.TurnGuards,
  tooLong: boolean
): Effect.Effect<CompactionPass, ModelError | LeaseLost | StoreFailed> =>
  pass(caller, guards, { tooLong, inPlace: !tooLong && guards.ineffective === 0 })

interface CompactionOptions {
  readonly tooLong: boolean
  /** True: the request is appended to the unchanged prompt, if it fits; else a transcript is sent. */
  readonly inPlace: boolean
  /** The facts that the user most wants to keep; default: none. */
  readonly focus?: string
}

/** Runs as its own step; the summary and the end of the step are one commit. */
const pass = Effect.fnUntraced(function* (
  caller: ModelCaller,
  guards: TurnGuards.TurnGuards,
  { focus = "", inPlace, tooLong }: CompactionOptions
): Effect.fn.Return<CompactionPass, ModelError | LeaseLost | StoreFailed> {
  const { journal } = caller
  const range = rangeOf(caller, guards, tooLong)
  if (range === null) return nothing
  const size = sizeOf(caller, tooLong)
  const maxCharacters = (transcriptShare * size.windowTokens) / size.tokensPerCharacter / 2 ** guards.ineffective
  const extended = inPlace ? extendedPrompt(caller, range, focus) : null
  const answered = yield* ask(
    caller,
    extended ?? transcriptRequest(caller, SummaryTranscript.text(journal.prompt, range.end, maxCharacters), focus)
  )
  if (answered === null) return nothing
  if ("promptTokens" in answered) return { ...nothing, unmet: answered }
  const { counted, reply } = answered
  const compacted = compactedBy(caller, range, reply)
  const shorter = compacted === null ? null : shorten(journal.prompt, range, compacted)
  yield* record(caller, answered, shorter === null ? null : compacted)
  const after = shorter === null ? Infinity : (size.fixedCharacters + shorter) * size.tokensPerCharacter
  return { effective: after <= effectiveShare * size.windowTokens, usage: counted.usage, unmet: null }
})

/** A summary with its usage. */
interface Summary {
  readonly reply: Reply.ReplyState
  readonly counted: ReplyUsage.CountedUsage
}

const nothing: CompactionPass = { effective: false, usage: Usage.zero, unmet: null }

/** A request for a summary, with its demand. */
interface SummaryRequest {
  readonly prompt: ModelPrompt
  readonly demand: Budget.StepDemand
  /** The number of tokens for display. */
  readonly estimate: number
}

/** The part of the window that a summary of the conversation itself leaves for the reply. */
const replyShare = 0.05

/** The request of the next step, with an added instruction to write a summary; null: it does not fit the window. */
const extendedPrompt = (caller: ModelCaller, { end }: CompactionRange.Range, focus: string): SummaryRequest | null => {
  const { declarations, journal, model, system } = caller
  const text = `${SummaryTranscript.instruction(journal.prompt, end)}${SummaryTranscript.focusText(focus)}`
  const estimate = tokensNow(caller) + text.length / Tokens.charactersPerToken
  if (model.contextTokens !== null && estimate > (1 - replyShare) * model.contextTokens) return null
  const messages = [...journal.prompt.messages, { _tag: "User", text, media: [] } as const]
  return {
    prompt: { system, messages, tools: declarations(), cacheKey: journal.sessionId },
    demand: PromptTokenBound.demandFor(
      caller,
      () => PromptTokenBound.demandOf(caller).promptTokens + PromptTokenBound.forText(text)
    ),
    estimate
  }
}

const transcriptRequest = (caller: ModelCaller, transcript: string, focus: string): SummaryRequest => {
  const { system } = SummaryTranscript
  const text = `<conversation>\n${transcript}\n</conversation>${SummaryTranscript.focusText(focus)}`
  return {
    prompt: { system, messages: [{ _tag: "User", text, media: [] }], tools: [] },
    demand: PromptTokenBound.demandFor(caller, () => PromptTokenBound.forText(system) + PromptTokenBound.forText(text)),
    estimate: (system.length + transcript.length) / Tokens.charactersPerToken
  }
}

/** The notice before a summary is requested. */
export const summarising = "summarising the older part of the conversation"

/**
 * Requests a summary; null: the reply was cut off, or the text is too long to summarise. Returns the demand if the
 * remaining budget does not cover it.
 */
const ask = Effect.fnUntraced(function* (caller: ModelCaller, { demand, estimate, prompt }: SummaryRequest) {
  const startedStep = yield* Step.begin(caller, {
    demandOf: () => demand,
    estimate: () => estimate,
    characters: () => Prompt.countedCharacters(prompt),
    purpose: "compaction"
  })
  if (startedStep === null) return demand
  yield* caller.channel.publish({ _tag: "Notice", sessionId: caller.journal.sessionId, message: summarising })
  const { bounds } = startedStep
  const reply = Reply.empty()
  return yield* Step.receive(
    caller,
    { ...prompt, ...bounds },
    { reply, sent: startedStep, show: () => Effect.void, showRest: null }
  ).pipe(
    Effect.map((isWhole): Summary | null =>
      isWhole ? { reply, counted: ReplyUsage.usageOfCompleteReply(caller, reply, startedStep) } : null
    ),
    Effect.catchIf(
      (error) => error._tag === "ModelError" && (error.reason === "StreamCut" || error.reason === "TooLong"),
      () => Effect.succeed(null)
    )
  )
})

/** Makes the entry of a summary; null: the reply is not a complete summary. */
const compactedBy = (
  caller: ModelCaller,
  { fromSeq, throughSeq }: CompactionRange.Range,
  reply: Reply.ReplyState
): Entry.BodyOf<"Compacted"> | null => {
  const summary = textOf(caller, reply).trim()
  const isWhole = reply.end?.reason === "stop" || reply.end?.reason === "other"
  if (summary === "" || reply.calls.size > 0 || !isWhole) return null
  return {
    _tag: "Compacted",
    fromSeq,
    throughSeq,
    summary: [summary, ...lastWords(caller.journal.prompt, throughSeq)].join("\n\n")
  }
}

const textOf = (caller: ModelCaller, reply: Reply.ReplyState): string =>
  Step.partsOf(caller, reply)
    .flatMap((part) => (part._tag === "Text" ? [part.text] : []))
    .join("")

/** Keeps the user's last request word for word, beside the summary. */
const lastWords = ({ newestRequest }: Prompt.PromptState, throughSeq: number): ReadonlyArray<string> =>
  newestRequest === null || newestRequest.seq > throughSeq
    ? []
    : [`The person's newest message, entry ${newestRequest.seq}:\n${shortenMiddle(newestRequest.text, 4000)}`]

/** Returns the number of characters of the compacted messages; null: the number would not decrease. */
const shorten = (
  { characters, messages, sources }: Prompt.PromptState,
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

const record = (caller: ModelCaller, { counted, reply }: Summary, compacted: Entry.BodyOf<"Compacted"> | null) => {
  const at = placeOf(caller.journal)
  const { unreported, usage } = counted
  const silence = unreported ? { unreported } : {}
  const text = textOf(caller, reply)
  // Omits the reply's text, because Compacted records the summary.
  const parts = compacted === null && text !== "" ? [{ _tag: "Text", text } as const] : []
  return caller.journal.append({
    bodies: [
      { _tag: "ModelReplied", turn: at.turn, step: at.step, completion: "complete", parts, usage, ...silence },
      ...(compacted === null ? [] : [compacted])
    ],
    projections: [{ _tag: "SessionState", sessionId: at.sessionId, state: "Active" }]
  })
}
