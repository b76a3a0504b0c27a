/** The parts of a session's requests to its model, and the notices that were shown about the provider's counts. */
import type { Redaction } from "@bough/dispatch"
import * as Effect from "effect/Effect"
import * as PromptTokenBound from "../budget/PromptTokenBound.ts"
import type { SessionBudget } from "../budget/SessionBudget.ts"
import type { Journal } from "../journal/Journal.ts"
import type { Channel } from "../ports/Channel.ts"
import type { Model, ToolDeclaration } from "../ports/Model.ts"

/** The notices about counts that were shown, and the facts of the newest count. Only this module changes it. */
interface CountNotices {
  /**
   * The token bound of system prompt and declarations in the last request that the provider counted; null: none in
   * this process.
   */
  readonly fixedTokens: number | null
  /** True once users were notified that the provider reports no tokens, or far too few. */
  readonly silenceTold: boolean
  /** True once users were notified of impossible counts. */
  readonly oddityTold: boolean
}

export interface ModelCaller {
  readonly journal: Journal["Service"]
  readonly model: Model["Service"]
  readonly channel: Channel["Service"]
  readonly budget: SessionBudget
  readonly redaction: Redaction.Redaction
  readonly system: string
  /** Returns the declarations of the tools that the model may call now. */
  readonly declarations: () => ReadonlyArray<ToolDeclaration>
  /** Called when the model names a tool. */
  readonly announce: (tool: string) => Effect.Effect<void>
  readonly isTraced: boolean
  /** True if the process ends: an interrupted reply is then left for the next process. */
  readonly isLeaving: () => boolean
  readonly counted: CountNotices
}

export const make = (parts: Omit<ModelCaller, "counted">): ModelCaller => ({
  ...parts,
  counted: { fixedTokens: null, silenceTold: false, oddityTold: false }
})

type Cells = { -readonly [Key in keyof CountNotices]: CountNotices[Key] }

const set = <Key extends keyof Cells>(counted: Cells, key: Key, value: Cells[Key]): void => {
  counted[key] = value
}

/** Reports a provider without sound counts, once: all of its replies lack them. */
export const silence = ({ counted, model }: ModelCaller): string | null => {
  if (counted.silenceTold) return null
  set(counted, "silenceTold", true)
  return `${model.name} does not report all tokens: a count that it leaves out, or that is far too low for the text, counts as the most that it can have been, so that the limits hold`
}

/** Reports impossible counts, once: every reply of such a provider has them. */
export const reportImpossibleUsage = ({ counted, model }: ModelCaller, found: string): string | null => {
  if (counted.oddityTold) return null
  set(counted, "oddityTold", true)
  return `${model.name} reported ${found}: it counts as not reported`
}

/** Records that the provider counted the current system prompt and declarations. */
export const countFixed = (caller: ModelCaller): void =>
  set(caller.counted, "fixedTokens", PromptTokenBound.fixedTokens(caller))

/** Shows a notice; null: there is none. */
export const notice = ({ channel, journal: { sessionId } }: ModelCaller, message: string | null): Effect.Effect<void> =>
  message === null ? Effect.void : channel.publish({ _tag: "Notice", sessionId, message })
