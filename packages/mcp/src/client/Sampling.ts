/**
 * A server's requests for an answer of the model: read within limits, counted, and answered by the session of a running
 * call, if the configuration allows it.
 */
import type { Sampling } from "@bough/tool"
import type { CreateMessageRequest, CreateMessageResult } from "@modelcontextprotocol/sdk/types.js"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { SamplingLimits } from "../ServerConfig.ts"

type Params = CreateMessageRequest["params"]

/** Asks the model of the session that makes a call. A failure is a sentence. */
export type Ask = (
  request: Sampling.SamplingRequest,
  signal: AbortSignal
) => Promise<Result.Result<Sampling.SamplingReply, string>>

/** The code of the protocol for a request that a user rejected. */
const rejectedCode = -1

/** The error that the server gets. */
export class SamplingRejected extends Error {
  readonly code = rejectedCode
}

/** Counts the requests of one server, also across its connections. */
export interface Meter {
  /** The times of the requests within the last minute. */
  readonly times: Array<number>
}

export const meter = (): Meter => ({ times: [] })

const minuteMillis = 60_000

/** Counts a request; false: the limit of a minute is reached. */
const count = ({ times }: Meter, { requestsPerMinute }: SamplingLimits, nowMillis: number): boolean => {
  while (times.length > 0 && times[0] <= nowMillis - minuteMillis) times.shift()
  if (times.length >= requestsPerMinute) return false
  times.push(nowMillis)
  return true
}

/** Makes the request for the session, or returns the reason why it is refused. */
export const read = (
  server: string,
  limits: SamplingLimits,
  params: Params
): Result.Result<Sampling.SamplingRequest, string> => {
  if (params.tools !== undefined && params.tools.length > 0)
    return Result.fail("it offers tools, and the model gets none")
  const messages: Array<Sampling.SamplingMessage> = []
  for (const { content, role } of params.messages) {
    const blocks = Array.isArray(content) ? content : [content]
    const texts = blocks.flatMap((block) => (block.type === "text" ? [block.text] : []))
    if (texts.length < blocks.length) return Result.fail("it sends something other than text")
    messages.push({ role, text: texts.join("\n") })
  }
  return Result.succeed({
    requester: `MCP server ${server}`,
    system: params.systemPrompt ?? "",
    messages,
    maxTokens: Math.min(Math.max(1, Math.floor(params.maxTokens)), limits.maxTokens),
    ...(limits.model === null ? {} : { model: limits.model })
  })
}

export interface SamplingContext {
  readonly server: string
  readonly limits: SamplingLimits
  readonly meter: Meter
  /** The newest running call; null: none runs. `ask` null: its tool may only read. */
  readonly newestCall: () => { readonly ask: Ask | null } | null
  readonly onNotice: (sentence: string) => void
}

/** Answers the requests of one connection; a refused request is an error for the server and a sentence for the user. */
export const answerSamplings = ({ limits, meter: counted, newestCall, onNotice, server }: SamplingContext) => {
  const refuse = (reason: string): SamplingRejected => {
    onNotice(`MCP server ${server} asked the model, which was refused: ${reason}`)
    return new SamplingRejected(`refused: ${reason}`)
  }
  return (params: Params, signal: AbortSignal): Promise<CreateMessageResult> => {
    const call = newestCall()
    if (call === null) throw refuse("no call of it runs")
    if (call.ask === null) throw refuse("the tool that runs has the tier ReadOnly")
    const request = read(server, limits, params)
    if (Result.isFailure(request)) throw refuse(request.failure)
    if (!count(counted, limits, Effect.runSync(Clock.currentTimeMillis))) {
      throw refuse(`it may ask ${limits.requestsPerMinute} times a minute`)
    }
    return call.ask(request.success, signal).then((reply) => {
      if (Result.isFailure(reply)) throw new SamplingRejected(reply.failure)
      return toResult(reply.success, params.stopSequences ?? [])
    })
  }
}

/** Ends the text before the first stop sequence, because a model of the session takes none. */
const toResult = (
  { model, reason, text }: Sampling.SamplingReply,
  stopSequences: ReadonlyArray<string>
): CreateMessageResult => {
  const ends = stopSequences.flatMap((sequence) => (sequence === "" ? [] : [text.indexOf(sequence)]))
  const end = Math.min(...ends.filter((at) => at !== -1))
  const isStopped = end < text.length
  return {
    role: "assistant",
    model,
    content: { type: "text", text: isStopped ? text.slice(0, end) : text },
    stopReason: isStopped ? "stopSequence" : reason === "length" ? "maxTokens" : "endTurn"
  }
}
