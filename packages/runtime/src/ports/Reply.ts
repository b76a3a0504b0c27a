/** A model's reply assembled from its stream: fragments joined, calls named, nothing decoded. */
import type { Message } from "@bough/protocol"
import { toolCallId } from "../Identity.ts"
import type { ModelPart } from "./Model.ts"

interface Draft {
  readonly _tag: "Text" | "Reasoning" | "ToolCall"
  /** Text, or the raw arguments of a call. */
  text: string
  signature: string | null
  readonly callId: string
  readonly name: string
}

export interface ReplyState {
  readonly drafts: Array<Draft>
  readonly calls: Map<string, Draft>
  end: Extract<ModelPart, { readonly _tag: "End" }> | null
}

export const empty = (): ReplyState => ({ drafts: [], calls: new Map(), end: null })

/** Adds one part. Nothing is added after the end. */
export const append = (state: ReplyState, part: ModelPart): void => {
  if (state.end !== null) return
  switch (part._tag) {
    case "Text":
      return appendText(state, "Text", part.text)
    case "Reasoning":
      appendText(state, "Reasoning", part.text)
      if (part.signature !== undefined) state.drafts[state.drafts.length - 1].signature = part.signature
      return
    case "ToolCallStart": {
      const before = state.calls.get(part.callId)
      if (before !== undefined && before.name === part.name && before.text === "") return
      // Without this, two calls with the same id would be merged.
      const callId = before === undefined ? part.callId : ""
      const draft: Draft = { _tag: "ToolCall", text: "", signature: null, callId, name: part.name }
      state.calls.set(part.callId, draft)
      state.drafts.push(draft)
      return
    }
    case "ToolCallArguments": {
      const draft = state.calls.get(part.callId)
      if (draft === undefined) return
      draft.text += part.text
      if (part.signature !== undefined) draft.signature = part.signature
      return
    }
    case "End":
      state.end = part
      return
    case "Notice":
      return
  }
}

/** Adds text. A signature closes its reasoning: later text is another part. */
const appendText = (state: ReplyState, tag: "Text" | "Reasoning", text: string): void => {
  const last = state.drafts.at(-1)
  if (last !== undefined && last._tag === tag && last.signature === null) last.text += text
  else state.drafts.push({ _tag: tag, text, signature: null, callId: "", name: "" })
}

/** Returns the parts in the order in which they began. Calls are named by their index. */
export const parts = (
  state: ReplyState,
  at: { readonly turn: number; readonly step: number }
): ReadonlyArray<Message.ReplyPart> => {
  let calls = 0
  return state.drafts.map((draft): Message.ReplyPart => {
    // Half a character cannot be stored as text.
    const text = draft.text.toWellFormed()
    const signature = draft.signature === null ? {} : { signature: draft.signature.toWellFormed() }
    if (draft._tag === "Text") return { _tag: "Text", text }
    if (draft._tag === "Reasoning") return { _tag: "Reasoning", text, ...signature }
    const id = toolCallId(at.turn, at.step, calls++)
    return {
      _tag: "ToolCall",
      toolCallId: id,
      providerCallId: draft.callId === "" ? id : draft.callId.toWellFormed(),
      name: draft.name.toWellFormed(),
      arguments: text,
      ...signature
    }
  })
}

/** Counts the characters received so far. */
export const length = (state: ReplyState): number => state.drafts.reduce((sum, draft) => sum + draft.text.length, 0)

/** Tokens around each part that providers add. */
const framingTokens = 16

/** Returns the maximum number of tokens of the received text: no tokenizer produces more than one token per byte. */
export const maxTokens = ({ drafts }: ReplyState): number =>
  drafts.reduce((sum, { callId, name, text }) => sum + framingTokens + Buffer.byteLength(callId + name + text), 0)
