/** Chooses the messages that a summary replaces: pure, over the folded prompt. */
import type { Session } from "@bough/protocol"
import * as Prompt from "../journal/Prompt.ts"

/** The messages before `end` leave the prompt, except instructions. */
export interface Range {
  readonly fromSeq: number
  readonly throughSeq: number
  readonly end: number
}

/**
 * Chooses everything before the tail: the newest messages that fit `tailCharacters`, and at least the newest message or
 * step. It never cuts between a call and its result, and never removes an open call. Null: there is no text before the
 * tail to summarise.
 */
export const choose = (
  prompt: Prompt.PromptState,
  open: ReadonlySet<Session.ToolCallId>,
  tailCharacters: number
): Range | null => {
  const end = tailStart(prompt, open, tailCharacters)
  const isNew = ({ kind }: Prompt.Source) => kind === "person" || kind === "other"
  if (end === null || !prompt.sources.slice(0, end).some(isNew)) return null
  return { fromSeq: 0, throughSeq: prompt.sources[end].seq - 1, end }
}

const tailStart = (
  { messages }: Prompt.PromptState,
  open: ReadonlySet<Session.ToolCallId>,
  tailCharacters: number
): number | null => {
  // Calls whose results are in the tail: the messages with these calls must be in the tail too.
  const awaited = new Set(messages.flatMap(Prompt.callsOf).filter((toolCallId) => open.has(toolCallId)))
  let characters = 0
  let start: number | null = null
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index]
    characters += Prompt.charactersOf(message)
    if (start !== null && characters > tailCharacters) return start
    if (message._tag === "ToolResult") awaited.add(message.toolCallId)
    for (const toolCallId of Prompt.callsOf(message)) awaited.delete(toolCallId)
    if (awaited.size === 0) start = index
  }
  return start
}
