/**
 * The replies of a scripted model, as data. A call id that starts with "#" is local to its reply: `ScriptedModel`
 * makes it unique in the conversation, so one reply can be used in many steps.
 */
import * as Model from "../ports/Model.ts"

/** A part of the port, or an event that replaces one. */
export type ReplyStep =
  | Model.ModelPart
  | { readonly _tag: "Pause"; readonly millis: number }
  | { readonly _tag: "Hang" }
  | { readonly _tag: "Fail"; readonly error: Model.ModelError }

export type Reply = ReadonlyArray<ReplyStep>

export interface Usage {
  readonly inputTokens?: number
  readonly cachedInputTokens?: number
  readonly outputTokens?: number
  readonly costUsd?: number | null
}

/** One call. Text arguments are sent unchanged, even if malformed; any other value is sent as JSON. */
export interface Call {
  readonly name: string
  readonly arguments: unknown
  /** The call's id; default: "#1", "#2" … by position. */
  readonly callId?: string
}

/** Ends a reply; tokens that `usage` leaves out are 0. */
export const end = (reason: (Model.ModelPart & { _tag: "End" })["reason"], usage: Usage = {}): ReplyStep => ({
  _tag: "End",
  reason,
  inputTokens: usage.inputTokens ?? 10,
  cachedInputTokens: usage.cachedInputTokens ?? 0,
  outputTokens: usage.outputTokens ?? 5,
  costUsd: usage.costUsd ?? null
})

/** An answer without tool calls. */
export const text = (text: string, usage?: Usage): Reply => [{ _tag: "Text", text }, end("stop", usage)]

export const reasoning = (text: string): ReplyStep => ({ _tag: "Reasoning", text })

/** One tool call; a string is the raw argument text. */
export const toolCall = (name: string, args: unknown = {}, usage?: Usage): Reply =>
  toolCalls([{ name, arguments: args }], usage)

/** Several calls in one reply. The starts come first, then the arguments call by call. */
export const toolCalls = (calls: ReadonlyArray<Call>, usage?: Usage): Reply => {
  const named = calls.map((call, index) => ({ ...call, callId: call.callId ?? `#${index + 1}` }))
  return [
    ...named.map(({ callId, name }): ReplyStep => ({ _tag: "ToolCallStart", callId, name })),
    ...named.map(({ callId, ...call }): ReplyStep => ({
      _tag: "ToolCallArguments",
      callId,
      text: rawText(call.arguments)
    })),
    end("toolCalls", usage)
  ]
}

/** Puts text or reasoning before the rest of a reply. */
export const before = (pieces: ReadonlyArray<ReplyStep> | string, reply: Reply): Reply => [
  ...(typeof pieces === "string" ? [{ _tag: "Text", text: pieces } as const] : pieces),
  ...reply
]

/**
 * Splits a reply into smaller fragments. Their lengths in UTF-16 code units are taken from `sizes` in turn, repeatedly.
 * Arguments of several calls alternate, as with providers.
 */
export const fragmented = (reply: Reply, sizes: ReadonlyArray<number>): Reply => {
  let next = 0
  const take = () => Math.max(1, sizes[next++ % sizes.length] ?? 1)
  const split = (piece: ReplyStep): Array<ReplyStep> => {
    if (piece._tag !== "Text" && piece._tag !== "Reasoning" && piece._tag !== "ToolCallArguments") return [piece]
    const fragments: Array<ReplyStep> = []
    for (let from = 0; from < piece.text.length;) {
      const to = from + take()
      fragments.push({ ...piece, text: piece.text.slice(from, to) })
      from = to
    }
    return fragments
  }
  const isArguments = (piece: ReplyStep) => piece._tag === "ToolCallArguments"
  const first = reply.findIndex(isArguments)
  const queues = reply.filter(isArguments).map(split)
  const alternating: Array<ReplyStep> = []
  while (queues.some((queue) => queue.length > 0)) {
    for (const queue of queues) alternating.push(...queue.splice(0, 1))
  }
  return reply.flatMap((piece, index) => (index === first ? alternating : isArguments(piece) ? [] : split(piece)))
}

/** Waits before each piece, by the Clock. */
export const slowly = (reply: Reply, millis: number): Reply =>
  reply.flatMap((piece): Array<ReplyStep> => [{ _tag: "Pause", millis }, piece])

/** Streams the parts before `End`, then fails like a provider's stream that was cut. */
export const cut = (reply: Reply): Reply => [
  ...reply.filter((piece) => piece._tag !== "End"),
  {
    _tag: "Fail",
    error: new Model.ModelError({
      reason: "StreamCut",
      model: "scripted/model",
      message: "the model's answer stopped in the middle",
      hint: "ask again",
      retryable: true,
      retryAfterMillis: null
    })
  }
]

/** Streams the parts before `End`, then nothing more. */
export const hang = (reply: Reply = []): Reply => [...reply.filter((piece) => piece._tag !== "End"), { _tag: "Hang" }]

/** Fails before the first part. */
export const error = (
  reason: Model.ModelFailure,
  options: { readonly message?: string; readonly retryable?: boolean; readonly retryAfterMillis?: number } = {}
): Reply => [
  {
    _tag: "Fail",
    error: new Model.ModelError({
      reason,
      model: "scripted/model",
      message: options.message ?? `scripted failure: ${reason}`,
      hint: "this failure is part of the script",
      retryable: options.retryable ?? false,
      retryAfterMillis: options.retryAfterMillis ?? null
    })
  }
]

const rawText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value))
