/** A recorded conversation with a model: one reply per line, in the order of the requests. */
import { Canonical } from "@bough/protocol"
import { Model } from "@bough/runtime"
import { summary } from "@bough/runtime/testing/PromptSummary"
import * as Schema from "effect/Schema"

const Part = Schema.TaggedUnion({
  Text: { text: Schema.String },
  Reasoning: { text: Schema.String, signature: Schema.optionalKey(Schema.String) },
  ToolCallStart: { callId: Schema.String, name: Schema.String },
  ToolCallArguments: { callId: Schema.String, text: Schema.String, signature: Schema.optionalKey(Schema.String) },
  End: {
    reason: Schema.Literals(["stop", "toolCalls", "length", "filtered", "other"]),
    inputTokens: Schema.Finite,
    cachedInputTokens: Schema.Finite,
    outputTokens: Schema.Finite,
    costUsd: Schema.NullOr(Schema.Finite)
  }
})

const Failure = Schema.Struct({
  reason: Model.ModelFailure,
  message: Schema.String,
  hint: Schema.String,
  retryable: Schema.Boolean,
  retryAfterMillis: Schema.NullOr(Schema.Finite)
})

/**
 * A line of a cassette. `digest` is the digest of the prompt, `asked` its last message for readers of the file, `ended`
 * the outcome after the last part. An interrupted reply is replayed as a reply that never continues.
 */
export const Line = Schema.Struct({
  version: Schema.Literal(1),
  model: Schema.String,
  digest: Schema.String,
  asked: Schema.String,
  parts: Schema.Array(Part),
  ended: Schema.Union([Schema.Literals(["whole", "interrupted"]), Failure])
})
export type Line = typeof Line.Type

export const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Line))
export const encode = (line: Line): string => JSON.stringify(line)

export type Redact = (text: string) => string

/**
 * Returns the key of a prompt: everything that the model reads, without Bough's ids of its calls and the bounds of its
 * reply.
 */
export const keyOf = (prompt: Model.Prompt, redact: Redact): { readonly digest: string; readonly asked: string } => {
  const clean = everyText(prompt, redact) as Model.Prompt
  return {
    digest: Canonical.digestOf(everyText(prompt, redact, ["toolCallId", "maxOutputTokens"])),
    asked: summary(clean)
  }
}

/** A part of the reply itself. */
export type RecordedPart = Exclude<Model.ModelPart, { readonly _tag: "Notice" }>

/** Returns the parts without secrets; fragments over which a secret was split are joined. */
export const redacted = (parts: ReadonlyArray<RecordedPart>, redact: Redact): ReadonlyArray<RecordedPart> => {
  const streams = new Map<string, Array<RecordedPart & { readonly text: string }>>()
  for (const part of parts) {
    if (!("text" in part)) continue
    const stream = part._tag === "ToolCallArguments" ? part.callId : part._tag
    streams.set(stream, [...(streams.get(stream) ?? []), part])
  }
  const replaced = new Map<RecordedPart, string>()
  for (const fragments of streams.values()) {
    const text = fragments.map(({ text }) => text).join("")
    const clean = redact(text)
    if (clean === text) continue
    for (const [index, fragment] of fragments.entries()) replaced.set(fragment, index === 0 ? clean : "")
  }
  return parts.map((part) => (replaced.has(part) && "text" in part ? { ...part, text: replaced.get(part)! } : part))
}

const everyText = (value: unknown, redact: Redact, without: ReadonlyArray<string> = []): unknown => {
  if (typeof value === "string") return redact(value)
  if (Array.isArray(value)) return value.map((item) => everyText(item, redact, without))
  if (value === null || typeof value !== "object") return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) =>
      without.includes(key) ? [] : [[key, everyText(member, redact, without)]]
    )
  )
}
