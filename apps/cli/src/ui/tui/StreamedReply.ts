/** The reply that the model streams now: its reasoning, then its answer. Finished parts become blocks. */
import * as MarkdownStream from "@bough/tui/markdown/MarkdownStream"
import type { Block } from "./Block.ts"

/** Longer reasoning is truncated; it is kept until the model's next text. */
const maxReasoningLength = 200_000

export interface StreamedReply {
  readonly answer: MarkdownStream.StreamState
  /** The reasoning since the model's last text. */
  readonly reasoning: string
  readonly isReasoning: boolean
}

/** The rest of a reply, and its parts that can no longer change. */
export interface ReplyChange {
  readonly reply: StreamedReply
  readonly blocks: ReadonlyArray<Block>
}

export const empty: StreamedReply = { answer: MarkdownStream.initial, reasoning: "", isReasoning: false }

export const addReasoning = (reply: StreamedReply, text: string): StreamedReply => ({
  ...reply,
  isReasoning: true,
  reasoning: (reply.reasoning + text).slice(0, maxReasoningLength)
})

/** Adds text of the answer; the reasoning before it becomes a block. */
export const addText = (reply: StreamedReply, text: string, showsReasoning: boolean): ReplyChange => ({
  reply: { answer: MarkdownStream.push(reply.answer, text), reasoning: "", isReasoning: false },
  blocks: reasoningBlocks(reply, showsReasoning)
})

/** Ends the answer: later text belongs to another block. */
export const end = (reply: StreamedReply, showsReasoning: boolean): ReplyChange => ({
  reply: empty,
  blocks: [...reasoningBlocks(reply, showsReasoning), ...MarkdownStream.end(reply.answer).map(answerBlock)]
})

/** Returns the pieces of the answer that can no longer change; called once per frame, not per event. */
export const takeFinished = (reply: StreamedReply): ReplyChange => {
  const { pieces, state } = MarkdownStream.takeFinished(reply.answer)
  return pieces.length === 0
    ? { reply, blocks: [] }
    : { reply: { ...reply, answer: state }, blocks: pieces.map(answerBlock) }
}

const answerBlock = (piece: Extract<Block, { readonly _tag: "Answer" }>["piece"]): Block => ({ _tag: "Answer", piece })

const reasoningBlocks = ({ reasoning }: StreamedReply, showsReasoning: boolean): ReadonlyArray<Block> =>
  reasoning.trim() === "" ? [] : [{ _tag: "Reasoning", text: reasoning, isFolded: !showsReasoning }]
