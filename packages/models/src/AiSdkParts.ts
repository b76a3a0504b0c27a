/** The AI SDK's stream parts, one at a time, in the port's form. */
import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from "@ai-sdk/provider"
import { type Model, ReportedUsage } from "@bough/runtime"
import * as AiSdkCalls from "./AiSdkCalls.ts"
import * as AiSdkThoughts from "./AiSdkThoughts.ts"
import { costUsd, type Price } from "./Price.ts"

/** The result of reading one part: parts to pass on, or a stop because the provider reported a failure. */
export type PartResult =
  | { readonly _tag: "Parts"; readonly parts: ReadonlyArray<Model.ModelPart> }
  | { readonly _tag: "Failed"; readonly error: unknown }
  /** The reply was cut off: the provider reports this, or a call is incomplete. */
  | { readonly _tag: "Unfinished" }

/** Reads one reply; each reply needs its own reader. */
export interface Reader {
  readonly read: (part: LanguageModelV4StreamPart) => PartResult
  /** True once `End` was emitted. */
  readonly ended: () => boolean
  /** True once the reply has content. */
  readonly started: () => boolean
  /** The tool whose call was being written at the end; null: the last part was not a call. */
  readonly inside: () => string | null
}

/** `reportedFaults`: kinds of faults that were already reported, and are not reported again. */
export const reader = (price: Price | null, reportedFaults: Set<string> = new Set()): Reader => {
  const calls = AiSdkCalls.make()
  const thoughts = AiSdkThoughts.make()
  let ended = false
  let started = false
  let inside: string | null = null

  const finish = (part: Extract<LanguageModelV4StreamPart, { type: "finish" }>): PartResult => {
    if (part.finishReason.unified === "error") {
      return { _tag: "Failed", error: { message: `the provider stopped: ${part.finishReason.raw ?? "error"}` } }
    }
    const { raw, unified } = part.finishReason
    // Some packages omit the provider's reason if its last event never arrived.
    if (unified === "interrupted" || (unified === "other" && raw === undefined)) return { _tag: "Unfinished" }
    const reason = reasons[unified]
    const complete = reason !== "length" && reason !== "filtered"
    if (complete && !calls.areFinished()) return { _tag: "Unfinished" }
    ended = true
    return parts([
      // In a truncated reply, an empty text is the beginning of arguments: it must not count as a call without arguments.
      ...calls.fillEmpty(complete ? "{}" : "{"),
      ...notice(part.usage, reportedFaults),
      { _tag: "End", reason, ...usage(part.usage, price) }
    ])
  }

  const read = (part: LanguageModelV4StreamPart): PartResult => {
    switch (part.type) {
      case "text-delta":
        return parts(part.delta === "" ? [] : [{ _tag: "Text", text: part.delta }])
      case "reasoning-start":
        thoughts.add(part.id, part.providerMetadata)
        return parts([])
      case "reasoning-delta":
        thoughts.add(part.id, part.providerMetadata)
        return parts(part.delta === "" ? [] : [{ _tag: "Reasoning", text: part.delta }])
      case "reasoning-end":
        thoughts.add(part.id, part.providerMetadata)
        return parts(thoughts.end(part.id))
      case "tool-input-start":
        return parts(
          part.providerExecuted === true ? [] : calls.start(part.id, part.toolName, part.inputEncoding === "text")
        )
      case "tool-input-delta":
        return parts(calls.fragment(part.id, part.delta))
      case "tool-call":
        return partsOrUnfinished(calls.complete(part))
      case "finish":
        return finish(part)
      case "error":
        return { _tag: "Failed", error: part.error }
      default:
        return parts([])
    }
  }

  return {
    ended: () => ended,
    started: () => started,
    inside: () => inside,
    read: (part) => {
      const readResult = read(part)
      const last = readResult._tag === "Parts" ? readResult.parts.at(-1) : undefined
      if (last !== undefined) {
        started = true
        inside = "callId" in last ? calls.nameOf(last.callId) : null
      }
      return readResult
    }
  }
}

const parts = (parts: ReadonlyArray<Model.ModelPart>): PartResult => ({ _tag: "Parts", parts })

const partsOrUnfinished = (read: ReadonlyArray<Model.ModelPart> | null): PartResult =>
  read === null ? { _tag: "Unfinished" } : parts(read)

const reasons = {
  stop: "stop",
  length: "length",
  "content-filter": "filtered",
  "tool-calls": "toolCalls",
  other: "other"
} as const

/** Reports odd counts once, because every reply of such a provider has them. */
const notice = (reported: LanguageModelV4Usage, reportedFaults: Set<string>): ReadonlyArray<Model.ModelPart> => {
  const oddity = ReportedUsage.impossibleValues({
    "input tokens": reported.inputTokens.total,
    "cached input tokens": reported.inputTokens.cacheRead,
    "input tokens put in the cache": reported.inputTokens.cacheWrite,
    "output tokens": reported.outputTokens.total
  })
  if (oddity === null || reportedFaults.has(oddCounts)) return []
  reportedFaults.add(oddCounts)
  return [{ _tag: "Notice", text: `the provider reported ${oddity}: it counts as not reported` }]
}

const oddCounts = "odd counts"

/** Reads the usage: unknown counts are 0, and the cost is then unknown too. */
const usage = ({ inputTokens, outputTokens }: LanguageModelV4Usage, price: Price | null) => {
  const input = ReportedUsage.tokens(inputTokens.total)
  const output = ReportedUsage.tokens(outputTokens.total)
  const cachedInput = Math.min(ReportedUsage.tokens(inputTokens.cacheRead) ?? 0, input ?? 0)
  const writtenInput = ReportedUsage.tokens(inputTokens.cacheWrite) ?? 0
  return {
    inputTokens: input ?? 0,
    cachedInputTokens: cachedInput,
    outputTokens: output ?? 0,
    costUsd:
      price === null || input === null || output === null
        ? null
        : costUsd(price, { input, cachedInput, writtenInput, output })
  }
}
