/** Removes known secrets from a model's reply, whole or in deltas, before it is recorded or shown. */
import { Redaction } from "@bough/dispatch"
import { Canonical, type Message } from "@bough/protocol"
import * as Result from "effect/Result"
import type { ModelPart } from "../ports/Model.ts"

/** Returns the parts with every known secret replaced; a call that contained one is marked and will be refused. */
export const parts = (
  reply: ReadonlyArray<Message.ReplyPart>,
  redaction: Redaction.Redaction
): ReadonlyArray<Message.ReplyPart> =>
  redaction.settledLength === undefined ? reply : reply.map((part) => redactPart(part, redaction))

const redactPart = (part: Message.ReplyPart, redaction: Redaction.Redaction): Message.ReplyPart => {
  switch (part._tag) {
    case "Text":
      return { ...part, text: redaction.redact(part.text) }
    case "Reasoning": {
      const text = redaction.redact(part.text)
      // Drops the signature, because a provider would reject the changed text with it.
      return text === part.text ? part : { _tag: "Reasoning", text }
    }
    case "ToolCall": {
      const { arguments: written, signature: _, ...call } = part
      const redacted = redactedArguments(written, redaction)
      const name = redaction.redact(call.name)
      return redacted === null && name === call.name
        ? part
        : { ...call, name, arguments: redacted ?? written, ...(redacted === null ? {} : { redacted: true }) }
    }
  }
}

/** Returns redacted arguments; null: they contain no secret. Escapes in the text may hide one. */
const redactedArguments = (written: string, redaction: Redaction.Redaction): string | null => {
  if (redaction.holdsSecret(written)) return redaction.redact(written)
  if (!written.includes("\\")) return null
  const canonical = Result.getOrNull(Result.try(() => Canonical.stringify(JSON.parse(written))))
  return canonical !== null && redaction.holdsSecret(canonical) ? redaction.redact(canonical) : null
}

type ShownDelta = Extract<ModelPart, { readonly _tag: "Text" | "Reasoning" }>

/** The deltas of a reply. */
export interface Deltas {
  /** Returns the parts that may be shown after this one: the delayed parts, then the part itself. */
  readonly push: (part: ModelPart) => ReadonlyArray<ModelPart>
  /** Returns the parts that were delayed until the end. */
  readonly end: () => ReadonlyArray<ModelPart>
}

export const deltas = (redaction: Redaction.Redaction): Deltas => {
  const text = Redaction.streaming(redaction)
  let tag: ShownDelta["_tag"] = "Text"
  const end = (): ReadonlyArray<ModelPart> => delta(tag, text.end())
  return {
    push: (part) => {
      if (part._tag === "Notice" || part._tag === "ToolCallArguments") return [part]
      if (part._tag !== "Text" && part._tag !== "Reasoning") return [...end(), part]
      if (part._tag === tag) return delta(tag, text.push(part.text))
      const before = end()
      tag = part._tag
      return [...before, ...delta(tag, text.push(part.text))]
    },
    end
  }
}

const delta = (tag: ShownDelta["_tag"], text: string): ReadonlyArray<ModelPart> =>
  text === "" ? [] : [{ _tag: tag, text }]
