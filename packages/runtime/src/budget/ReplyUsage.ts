/**
 * Counts a reply for the ledger: the usage that its provider reported, or the largest possible usage if a limit needs it
 * and the provider reported none, or far less than the text can have.
 */
import type { Usage } from "@bough/protocol"
import type { Model } from "../ports/Model.ts"
import * as Reply from "../ports/Reply.ts"
import * as ReportedUsage from "../ports/ReportedUsage.ts"
import type { SessionBudget } from "./SessionBudget.ts"
import * as Tokens from "./Tokens.ts"

export interface CountedUsage {
  readonly usage: Usage.Usage
  /** True if the provider did not report a part, or far too little of it: that counts with its largest possible usage. */
  readonly unreported: boolean
}

/** The session's limits and its model's prices. */
export interface Session {
  readonly budget: Pick<SessionBudget, "limit">
  readonly model: Pick<Model["Service"], "inputPerMillionUsd" | "outputPerMillionUsd" | "priced" | "usesNoTokens">
}

/** The prompt of a reply: the tokens that were reserved for it, and the characters that every provider counts. */
export interface SentPrompt {
  readonly reservedTokens: number
  readonly characters: number
}

/** Counts a complete reply. */
export const usageOfCompleteReply = (
  session: Session,
  reply: Reply.ReplyState,
  { characters, reservedTokens }: SentPrompt
): CountedUsage => {
  const reported = reportedBy(reply)
  if (!isLimited(session) || session.model.usesNoTokens === true) return { usage: reported, unreported: false }
  const believed = countsTokens(session) ? isPlausible : isReported
  const inputTokens = believed(reported.inputTokens, characters) ? reported.inputTokens : reservedTokens
  const outputTokens = believed(reported.outputTokens, Reply.length(reply))
    ? reported.outputTokens
    : Reply.maxTokens(reply)
  if (inputTokens === reported.inputTokens && outputTokens === reported.outputTokens) {
    return { usage: reported, unreported: false }
  }
  const { cachedInputTokens } = reported
  const highestCost = maxCost(session, { inputTokens, outputTokens })
  // A reported cost counts if the prices are unknown; a reported cost of zero counts as none.
  const costUsd = highestCost === null ? reported.costUsd || null : Math.max(highestCost, reported.costUsd ?? 0)
  return { usage: { inputTokens, cachedInputTokens, outputTokens, costUsd }, unreported: true }
}

const isReported = (tokens: number): boolean => tokens !== 0

/** False for a count that is missing, or far too low for the text. */
const isPlausible = (tokens: number, characters: number): boolean =>
  isReported(tokens) && ReportedUsage.canHave(characters, tokens)

/** True if a limit is enforced by counts of tokens: money is, unless only the provider knows what a reply costs. */
const countsTokens = ({ budget: { limit }, model }: Session): boolean =>
  limit.inputTokens !== null ||
  limit.outputTokens !== null ||
  (limit.costUsd !== null && model.inputPerMillionUsd !== undefined)

/**
 * Estimates the usage of a reply that was cut off before its provider reported any: its largest possible usage if a limit
 * applies. Without known prices the cost is 0.
 */
export const usageOfCutReply = (session: Session, reply: Reply.ReplyState, reservedTokens: number): Usage.Usage => {
  const outputTokens = isLimited(session)
    ? Reply.maxTokens(reply)
    : Math.ceil(Reply.length(reply) / Tokens.charactersPerToken)
  const tokens = { inputTokens: reservedTokens, outputTokens }
  return { ...tokens, cachedInputTokens: 0, costUsd: session.model.priced ? maxCost(session, tokens) : 0 }
}

const isLimited = ({ budget: { limit } }: Session): boolean =>
  limit.inputTokens !== null || limit.outputTokens !== null || limit.costUsd !== null

/** Bounds the cost; null: the prices are not known, so no limit of money can be enforced. */
export const maxCost = (
  { model: { inputPerMillionUsd, outputPerMillionUsd } }: Pick<Session, "model">,
  { inputTokens, outputTokens }: Pick<Usage.Usage, "inputTokens" | "outputTokens">
): number | null =>
  inputPerMillionUsd === undefined || outputPerMillionUsd === undefined
    ? null
    : (inputTokens * inputPerMillionUsd + outputTokens * outputPerMillionUsd) / 1_000_000

/** Reads the usage that the model's last part reported. */
export const reportedBy = ({ end }: Reply.ReplyState): Usage.Usage => ({
  inputTokens: end?.inputTokens ?? 0,
  cachedInputTokens: end?.cachedInputTokens ?? 0,
  outputTokens: end?.outputTokens ?? 0,
  costUsd: end === null ? 0 : end.costUsd
})
