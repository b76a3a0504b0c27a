/** The usage of a session from its journal: for `/cost`, and for the first status line. */
import type { Session, Usage } from "@bough/protocol"
import { Journal, SessionState, type SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import type * as Models from "../../session/Models.ts"
import type { Listing } from "./Listing.ts"

export interface SessionUsage {
  /** The usage of the session and its ended descendants. */
  readonly total: Usage.Usage
  /** True if part of the usage is an estimate, because a reply was cut off. */
  readonly isEstimated: boolean
  /** Tokens of the newest prompt and its reply; null: not known yet. */
  readonly contextTokens: number | null
}

/** The usage of a session that is not stored: zero. */
export const read = (store: SessionStore.SessionStore["Service"], sessionId: Session.SessionId) =>
  Effect.map(Journal.load(store, sessionId), ({ prompt, state }): SessionUsage => {
    const { costUsd, inputTokens, outputTokens } = SessionState.totalSpent(state)
    const { cachedInputTokens } = state.usage
    return {
      total: { cachedInputTokens, costUsd, inputTokens, outputTokens },
      isEstimated: state.isEstimated,
      contextTokens: prompt.reported?.tokens ?? null
    }
  })

export const listing = ({ contextTokens, isEstimated, total }: SessionUsage, model: Models.Model): Listing => {
  const { cachedInputTokens, costUsd, inputTokens, outputTokens } = total
  const cached = cachedInputTokens === 0 ? "" : `, ${cachedInputTokens} cached`
  const isKnown = costUsd !== null && model.priced
  return [
    ["tokens in", `${inputTokens}${cached}`],
    ["tokens out", `${outputTokens}`],
    ["cost", isKnown ? costText(costUsd, isEstimated) : "unknown: no price for this model"],
    ["context", contextTokens === null ? unknown(total) : windowText(contextTokens, model.contextTokens)]
  ]
}

const costText = (costUsd: number, isEstimated: boolean): string =>
  isEstimated ? `~$${costUsd.toFixed(4)}: an interrupted reply is estimated` : `$${costUsd.toFixed(4)}`

/** The length of the prompt is unknown: the session is new, or was compacted just now. */
const unknown = ({ inputTokens }: Usage.Usage): string =>
  inputTokens === 0 ? "nothing yet" : "shown after the next answer"

const windowText = (used: number, window: number | null): string =>
  window === null
    ? `${used} tokens; the size of the context window is unknown`
    : `${used} of ${window} tokens (${percent(used, window)}%)`

/** Returns the used part of a model's window in percent, at most 100. */
export const percent = (used: number, window: number): number => Math.min(100, Math.round((used / window) * 100))
