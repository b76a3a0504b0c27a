/** A model's reply put together from its stream: fragments joined, calls named, nothing decoded. */
import type { Message } from "@bough/protocol"
import type { ModelPart } from "./Model.ts"
import { toolCallId } from "./Identity.ts"

interface Draft {
  readonly _tag: "Text" | "Reasoning" | "ToolCall"
  /** Text, or the raw arguments of a call. */
  text: string
  signature: string | null
  readonly callId: string
  readonly name: string
}

export interface State {
  readonly drafts: Array<Draft>
  readonly calls: Map<string, Draft>
  end: Extract<ModelPart, { readonly _tag: "End" }> | null
}

export const empty = (): State => ({ drafts: [], calls: new Map(), end: null })

/** Takes one part in. */
export const append = (state: State, part: ModelPart): void => {
  switch (part._tag) {
    case "Text":
      return appendText(state, "Text", part.text)
    case "Reasoning":
      appendText(state, "Reasoning", part.text)
      if (part.signature !== undefined) state.drafts[state.drafts.length - 1].signature = part.signature
      return
    case "ToolCallStart": {
      if (state.calls.has(part.callId)) return
      const draft: Draft = { _tag: "ToolCall", text: "", signature: null, callId: part.callId, name: part.name }
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

/** A signature closes its reasoning: what follows is another part. */
const appendText = (state: State, tag: "Text" | "Reasoning", text: string): void => {
  const last = state.drafts.at(-1)
  if (last !== undefined && last._tag === tag && last.signature === null) last.text += text
  else state.drafts.push({ _tag: tag, text, signature: null, callId: "", name: "" })
}

/** The parts in the order in which they began. Calls are named by their place. */
export const parts = (
  state: State,
  at: { readonly turn: number; readonly step: number }
): ReadonlyArray<Message.ReplyPart> => {
  let calls = 0
  return state.drafts.map((draft): Message.ReplyPart => {
    if (draft._tag === "Text") return { _tag: "Text", text: draft.text }
    if (draft._tag === "Reasoning") {
      return draft.signature === null
        ? { _tag: "Reasoning", text: draft.text }
        : { _tag: "Reasoning", text: draft.text, signature: draft.signature }
    }
    return {
      _tag: "ToolCall",
      toolCallId: toolCallId(at.turn, at.step, calls++),
      providerCallId: draft.callId,
      name: draft.name,
      arguments: draft.text,
      ...(draft.signature === null ? {} : { signature: draft.signature })
    }
  })
}

/** Characters that have come so far. */
export const length = (state: State): number => state.drafts.reduce((sum, draft) => sum + draft.text.length, 0)
