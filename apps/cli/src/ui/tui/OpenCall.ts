/** A call that has not ended, on the screen. Pure. */
import type { Message, Tier } from "@bough/protocol"

/** A call that the model requested and that has not ended. */
export interface OpenCall {
  readonly toolCallId: string
  readonly tool: string
  readonly arguments: string
  /** The tier in the newest intent; null: no intent is recorded. */
  readonly tier: Tier.Tier | null
  readonly startedAtMillis: number | null
  /** The newest progress lines, oldest first. */
  readonly progress: ReadonlyArray<string>
  /** True if a question has shown the effect of the call. */
  readonly wasAsked: boolean
  /** True if the call waits for approval while the turn continues. */
  readonly isDeferred: boolean
}

export const fromPart = ({ arguments: callArguments, name, toolCallId }: Message.ToolCall): OpenCall => ({
  toolCallId,
  tool: name,
  arguments: callArguments,
  tier: null,
  startedAtMillis: null,
  progress: [],
  wasAsked: false,
  isDeferred: false
})
