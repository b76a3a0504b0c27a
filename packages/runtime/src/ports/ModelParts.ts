/**
 * Validates the parts of a model's stream against the contract of the port, because a model adapter may have any
 * author.
 */
import type { ModelPart } from "./Model.ts"
import * as ReportedUsage from "./ReportedUsage.ts"

/** A fault that ends the reading of a stream. `fault` is a clause that describes it. */
export interface MalformedPart {
  readonly _tag: "Malformed"
  readonly fault: string
}

type Fields = Readonly<Record<string, unknown>>

/** Reads a part; null: this program does not know its kind. */
export const read = (part: ModelPart): ModelPart | MalformedPart | null => {
  if (typeof part !== "object" || part === null) return malformed("a part is not an object")
  const fields = part as Fields
  switch (part._tag) {
    case "Notice":
    case "Text":
      return typeof fields["text"] === "string" ? part : malformed("the text is not a string")
    case "Reasoning":
      return typeof fields["text"] === "string" ? withTextSignature(part) : malformed("the reasoning is not a string")
    case "ToolCallStart":
      if (typeof fields["callId"] !== "string") return malformed("a call has no id")
      return typeof fields["name"] === "string" ? part : malformed("a call has no name")
    case "ToolCallArguments":
      if (typeof fields["callId"] !== "string") return malformed("arguments are of no call")
      return typeof fields["text"] === "string" ? withTextSignature(part) : malformed("the arguments are not a string")
    case "End":
      return isSound(part) ? part : end(fields)
    default:
      return null
  }
}

const malformed = (fault: string): MalformedPart => ({ _tag: "Malformed", fault })

type SignedPart = Extract<ModelPart, { readonly _tag: "Reasoning" | "ToolCallArguments" }>

/** Drops a signature that is not text, because it cannot be sent back. */
const withTextSignature = (part: SignedPart): SignedPart => {
  if (part.signature === undefined || typeof (part.signature as unknown) === "string") return part
  const { signature: _, ...rest } = part
  return rest
}

type End = Extract<ModelPart, { readonly _tag: "End" }>

const reasons: ReadonlyArray<End["reason"]> = ["stop", "toolCalls", "length", "filtered", "other"]

/** True for the usual report, in which all counts are possible. */
const isSound = ({ cachedInputTokens, costUsd, inputTokens, outputTokens, reason }: End): boolean =>
  isCount(inputTokens) &&
  isCount(outputTokens) &&
  isCount(cachedInputTokens) &&
  cachedInputTokens <= inputTokens &&
  (costUsd === null || ReportedUsage.costUsd(costUsd) !== null) &&
  reasons.includes(reason)

const isCount = (count: unknown): boolean => ReportedUsage.tokens(count) !== null

/** Unknown counts become 0, and an unknown cost null. */
const end = (fields: Fields): End => {
  const inputTokens = ReportedUsage.tokens(fields["inputTokens"]) ?? 0
  return {
    _tag: "End",
    reason: reasons.find((reason) => reason === fields["reason"]) ?? "other",
    inputTokens,
    cachedInputTokens: Math.min(ReportedUsage.tokens(fields["cachedInputTokens"]) ?? 0, inputTokens),
    outputTokens: ReportedUsage.tokens(fields["outputTokens"]) ?? 0,
    costUsd: impossibleUsage(fields) === null ? ReportedUsage.costUsd(fields["costUsd"]) : null
  }
}

/** Describes counts of an `End` that are impossible for any reply; null if there are none. */
export const impossibleUsage = ({ cachedInputTokens, costUsd, inputTokens, outputTokens }: Fields): string | null =>
  ReportedUsage.impossibleValues({
    "input tokens": inputTokens,
    "cached input tokens": cachedInputTokens,
    "output tokens": outputTokens,
    "cost in US dollars": costUsd
  })
