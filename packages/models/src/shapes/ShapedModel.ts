/**
 * A model that is given the session's tools in the shape of its model family. Session, policy and journal only know the
 * session's own tools: requests are translated to the family's tools, and each call is translated back.
 */
import type { Message } from "@bough/protocol"
import type { Model } from "@bough/runtime"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { Call, ToolShape } from "./ToolShape.ts"

type Service = Model.Model["Service"]

/** Separates the provider's id from the suffix in the ids of calls that came from one call. */
const separator = "__"

export const withShape = (model: Service, shape: ToolShape): Service => {
  const outgoing = promptTranslator(shape)
  return {
    ...model,
    stream: (prompt) =>
      Stream.suspend(() => {
        const incoming = callReader(shape)
        return model.stream(outgoing(prompt)).pipe(Stream.flatMap((part) => Stream.fromIterable(incoming(part))))
      })
  }
}

const decodeObject = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))

interface PendingCall {
  readonly callId: string
  readonly name: string
  text: string
  signature: string | undefined
}

/** Reads a reply. Calls are held back until its end, which keeps them in order; one call may become several. */
const callReader = (shape: ToolShape) => {
  const heldCalls = new Map<string, PendingCall>()
  return (part: Model.ModelPart): ReadonlyArray<Model.ModelPart> => {
    if (part._tag === "ToolCallStart") {
      if (heldCalls.size === 0 && !Object.hasOwn(shape.tools, part.name)) return [part]
      heldCalls.set(part.callId, { callId: part.callId, name: part.name, text: "", signature: undefined })
      return []
    }
    if (part._tag === "ToolCallArguments") {
      const call = heldCalls.get(part.callId)
      if (call === undefined) return [part]
      call.text += part.text
      call.signature ??= part.signature
      return []
    }
    return part._tag === "End" ? [...[...heldCalls.values()].flatMap((call) => partsOf(shape, call)), part] : [part]
  }
}

const partsOf = (shape: ToolShape, { callId, name, signature, text }: PendingCall): ReadonlyArray<Model.ModelPart> => {
  const calls = Object.hasOwn(shape.tools, name) ? oursFor(shape, name, text) : [{ name, text }]
  return calls.flatMap((call, index): ReadonlyArray<Model.ModelPart> => {
    const id = calls.length === 1 ? callId : `${callId}${separator}${index}`
    const signed = index === 0 && signature !== undefined ? { signature } : {}
    return [
      { _tag: "ToolCallStart", callId: id, name: call.name },
      { _tag: "ToolCallArguments", callId: id, text: call.text, ...signed }
    ]
  })
}

/**
 * Translates a call. Arguments that cannot be translated are passed to the session's tool, which refuses them. The
 * reason is the name of an argument, from which `untranslated` reads it for the model.
 */
const oursFor = (shape: ToolShape, name: string, text: string) => {
  const [fallback] = shape.tools[name]
  const parsed = decodeObject(text.trim() === "" ? "{}" : text)
  if (Option.isNone(parsed)) return [{ name: fallback, text }]
  const calls = shape.toOurs({ name, arguments: parsed.value })
  return typeof calls === "string"
    ? [{ name: fallback, text: JSON.stringify({ [`${name}: ${calls}`]: text }) }]
    : calls.map((call) => ({ name: call.name, text: JSON.stringify(call.arguments) }))
}

interface UntranslatedCall {
  readonly name: string
  readonly reason: string
  /** The arguments as the model wrote them. */
  readonly arguments: string
}

/** Returns the call that the model made; null: the call is a translation. */
const originalCall = (shape: ToolShape, calls: ReadonlyArray<Call>): UntranslatedCall | null => {
  const entries = calls.flatMap((call) => Object.entries(call.arguments))
  const [key, text] = entries.length === 1 ? entries[0] : ["", null]
  const [, name = "", reason = ""] = /^(\w+): (.+)$/su.exec(key) ?? []
  return typeof text === "string" && Object.hasOwn(shape.tools, name) ? { name, reason, arguments: text } : null
}

const groupOf = (providerCallId: string): string => providerCallId.replace(/__\d+$/u, "")

type Parts = ReadonlyArray<Message.ReplyPart>

interface RenderedCalls {
  readonly parts: Parts
  /** The call that the model made for each call of the session, by the provider's id. */
  readonly translatedCalls: ReadonlyMap<string, TranslatedCall>
}

/** `reason`: why the call could not be translated; null: it was translated. */
interface TranslatedCall {
  readonly name: string
  readonly reason: string | null
}

const promptTranslator = (shape: ToolShape) => {
  const rendered = new WeakMap<Parts, RenderedCalls>()
  const partsFor = (parts: Parts): RenderedCalls => {
    const known = rendered.get(parts)
    if (known !== undefined) return known
    const fresh = render(shape, parts)
    rendered.set(parts, fresh)
    return fresh
  }
  return (prompt: Model.Prompt): Model.Prompt => {
    const messages: Array<Model.PromptMessage> = []
    let translated: RenderedCalls["translatedCalls"] = new Map()
    for (const message of prompt.messages) {
      if (message._tag === "Assistant") {
        const rendered = partsFor(message.parts)
        translated = rendered.translatedCalls
        messages.push({ ...message, parts: rendered.parts })
      } else if (message._tag === "ToolResult") addResult(messages, message, translated)
      else messages.push(message)
    }
    const declared = new Map(prompt.tools.map((tool) => [tool.name, tool]))
    return {
      ...prompt,
      messages,
      tools: toolsFor(shape, prompt.tools, declared),
      system: renameTools(shape, prompt.system, declared)
    }
  }
}

type DeclaredTools = ReadonlyMap<string, Model.ToolDeclaration>

const isShown = (ours: ReadonlyArray<string>, declared: DeclaredTools): boolean =>
  ours.some((name) => declared.has(name))

/** Lists the family's tools, each at the position of the first tool that it replaces. */
const toolsFor = (shape: ToolShape, tools: ReadonlyArray<Model.ToolDeclaration>, declared: DeclaredTools) => {
  const shown = new Set<string>()
  return tools.flatMap((tool) => {
    const theirs = Object.keys(shape.tools).filter((name) => shape.tools[name].includes(tool.name))
    if (theirs.length === 0) return [tool]
    const fresh = theirs.filter((name) => !shown.has(name))
    for (const name of fresh) shown.add(name)
    return fresh.map((name) => {
      const { declaredBy } = tool
      return { ...shape.declare(name, declared), ...(declaredBy === undefined ? {} : { declaredBy }) }
    })
  })
}

/** The system prompt, in which tools have the names that the model knows. */
const renameTools = (shape: ToolShape, system: string, declared: DeclaredTools): string =>
  Object.entries(shape.tools).reduce(
    (text, [theirs, ours]) =>
      isShown(ours, declared)
        ? ours.reduce((part, name) => part.replaceAll(new RegExp(`\\b${name}\\b`, "gu"), theirs), text)
        : text,
    system
  )

const callFrom = (call: Message.ToolCall): Call | null =>
  Option.match(decodeObject(call.arguments), {
    onNone: () => null,
    onSome: (callArguments) => ({ name: call.name, arguments: callArguments })
  })

const render = (shape: ToolShape, parts: Parts): RenderedCalls => {
  const ours = new Set(Object.values(shape.tools).flat())
  const translated = new Map<string, TranslatedCall>()
  const groups = Map.groupBy(
    parts.filter((part) => part._tag === "ToolCall"),
    ({ providerCallId }) => groupOf(providerCallId)
  )
  const out = parts.flatMap((part): Parts => {
    if (part._tag !== "ToolCall") return [part]
    const group = groups.get(groupOf(part.providerCallId)) ?? []
    const calls = group.map(callFrom).filter((call) => call !== null)
    const isOurs = group.length > 1 || ours.has(part.name)
    if (!isOurs || calls.length !== group.length) return [part]
    const refused = originalCall(shape, calls)
    if (refused !== null) {
      translated.set(part.providerCallId, refused)
      return [{ ...part, name: refused.name, arguments: refused.arguments }]
    }
    const theirs = shape.toTheirs(calls)
    if (theirs === null) return [part]
    if (part !== group[0]) return []
    const providerCallId = groupOf(part.providerCallId)
    for (const one of group) translated.set(one.providerCallId, { name: theirs.name, reason: null })
    return [{ ...part, providerCallId, name: theirs.name, arguments: JSON.stringify(theirs.arguments) }]
  })
  return { parts: out, translatedCalls: translated }
}

/** Joins the results of calls that came from one call; the joined result contains the outcome of each. */
const addResult = (
  messages: Array<Model.PromptMessage>,
  message: Extract<Model.PromptMessage, { readonly _tag: "ToolResult" }>,
  translatedCalls: RenderedCalls["translatedCalls"]
): void => {
  const call = translatedCalls.get(message.providerCallId)
  if (call === undefined) return void messages.push(message)
  const { name, reason } = call
  // The session's error is about the arguments of its own tool, which the model does not know.
  if (reason !== null) return void messages.push({ ...message, name, output: `Error: ${name}: ${reason}` })
  const providerCallId = groupOf(message.providerCallId)
  const at = messages.findLastIndex((other) => other._tag === "ToolResult" && other.providerCallId === providerCallId)
  const before = messages[at]
  const isPart = message.providerCallId !== providerCallId
  if (!isPart || before?._tag !== "ToolResult") return void messages.push({ ...message, providerCallId, name })
  messages[at] = {
    ...before,
    output: `${before.output}\n${message.output}`,
    isError: before.isError || message.isError,
    media: [...before.media, ...message.media]
  }
}
