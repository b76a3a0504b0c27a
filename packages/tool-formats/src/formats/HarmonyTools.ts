/** Tools of the Harmony format: a section of types, calls in the commentary channel, results as messages of the tool. */
import * as Result from "effect/Result"
import { fault, type FormatResult } from "../FormatFault.ts"
import * as Harmony from "../Harmony.ts"
import * as HarmonyReader from "../harmony/HarmonyReader.ts"
import * as HarmonyText from "../harmony/HarmonyText.ts"
import * as SpecialTokens from "../harmony/SpecialTokens.ts"
import { callIdAt } from "../internal/arguments.ts"
import { declare } from "../internal/declare.ts"
import { collect, type WriteResult } from "../Loss.ts"
import * as SchemaLosses from "../schema/SchemaLosses.ts"
import { readType } from "../schema/TypeReader.ts"
import type { Call, CallResult, Declaration, Delta, ReadResult } from "../ToolMessage.ts"
import * as ToolNames from "../ToolNames.ts"
import { checkedDialect } from "./checkedDialect.ts"
import type { DeltaReader, Dialect } from "./Dialect.ts"

const format = "harmony"
const namespace = "functions."

/** Writes the section of tools for the developer message. */
export const writeDeclarations = (declarations: ReadonlyArray<Declaration>): WriteResult<string> => {
  const losses = collect()
  const written = declarations.map((declaration) => {
    const { description, losses: lost, name, schema } = declare(declaration, ToolNames.harmony)
    return {
      name,
      description,
      parameters: schema,
      lost: [...lost, ...SchemaLosses.ofTypeText(schema, declaration.name)]
    }
  })
  const value = SpecialTokens.plain(Harmony.section(written), "tools", losses)
  return { value, losses: [...written.flatMap(({ lost }) => lost), ...losses.list] }
}

const maxSectionCharacters = 1024 ** 2

/** Reads the types of the namespace of functions, anywhere in the text. */
export const readDeclarations = (value: unknown): FormatResult<ReadonlyArray<Declaration>> => {
  if (typeof value !== "string") return fault(format, "", "the section of tools is a text")
  if (value.length > maxSectionCharacters) return fault(format, "", "the section of tools is too long")
  const from = value.indexOf("namespace functions {")
  if (from < 0) return Result.succeed([])
  const declarations: Array<Declaration> = []
  let rest = value.slice(from + "namespace functions {".length).trimStart()
  while (!rest.startsWith("}")) {
    const one = declarationOf(rest)
    if (Result.isFailure(one)) return fault(format, String(declarations.length), one.failure)
    declarations.push(one.success.declaration)
    rest = one.success.rest.trimStart()
  }
  return Result.succeed(declarations)
}

const head = /^((?:\/\/.*\n\s*)*)type ([\w-]+) = \((?:_: )?/u

const declarationOf = (
  text: string
): Result.Result<{ readonly declaration: Declaration; readonly rest: string }, string> => {
  const [matchedHead, comments = "", name] = head.exec(text) ?? []
  if (matchedHead === undefined || name === undefined) return Result.fail(`expected a type before ${text.slice(0, 40)}`)
  const description = comments
    .split("\n")
    .map((line) => line.trim().replace(/^\/\/ ?/u, ""))
    .join("\n")
    .trimEnd()
  const after = text.slice(matchedHead.length)
  const read = after.startsWith(")")
    ? Result.succeed({ schema: { type: "object", properties: {}, additionalProperties: false }, rest: after })
    : readType(after)
  return Result.flatMap(read, ({ rest, schema }) => {
    const end = /^\)\s*=>\s*any;?/u.exec(rest)?.[0]
    return end === undefined
      ? Result.fail(`expected ") => any;" before ${rest.slice(0, 40)}`)
      : Result.succeed({ declaration: { name, description, parameters: schema }, rest: rest.slice(end.length) })
  })
}

export const writeCalls = (calls: ReadonlyArray<Call>): WriteResult<string> => {
  const losses = collect()
  const messages = calls.map((call): HarmonyText.HarmonyMessage => {
    losses.add("CallId", call.id, call.name)
    const recipient = namespace + ToolNames.fit(call.name, ToolNames.harmony)
    return { role: "assistant", channel: "commentary", recipient, text: SpecialTokens.json(call.arguments) }
  })
  const rendered = HarmonyText.render(messages)
  return { value: rendered.value, losses: [...losses.list, ...rendered.losses] }
}

/** Reads the calls of a reply. */
export const readCalls = (value: unknown): FormatResult<ReadonlyArray<Call>> =>
  Result.map(messagesOf(value), (messages) =>
    messages
      .filter(({ recipient }) => recipient?.startsWith(namespace) === true)
      .map(({ recipient, text }, index) => ({
        id: callIdAt(index),
        name: recipient?.slice(namespace.length) ?? "",
        arguments: text
      }))
  )

export const writeResults = (results: ReadonlyArray<CallResult>): WriteResult<string> => {
  const losses = collect()
  const messages = results.map(({ callId, isError, media, name, text }): HarmonyText.HarmonyMessage => {
    losses.add("CallId", callId, name)
    if (isError) losses.add("ErrorFlag", callId, "a failed call")
    for (const { mediaType } of media) losses.add("Media", callId, mediaType)
    return { role: "tool", name: namespace + ToolNames.fit(name, ToolNames.harmony), text }
  })
  const rendered = HarmonyText.render(messages)
  return { value: rendered.value, losses: [...losses.list, ...rendered.losses] }
}

/** Reads the results of a conversation. */
export const readResults = (value: unknown): FormatResult<ReadonlyArray<ReadResult>> =>
  Result.map(messagesOf(value), (messages) =>
    messages
      .filter(({ role }) => role.startsWith(namespace))
      .map(({ role, text }) => ({
        callId: null,
        name: role.slice(namespace.length),
        text,
        isError: false,
        media: []
      }))
  )

interface ReadMessage extends HarmonyReader.HarmonyHead {
  readonly text: string
}

/**
 * Returns the complete messages of a text. A reply may begin with its role, because the prompt may end before the role.
 */
export const messagesOf = (value: unknown): FormatResult<ReadonlyArray<ReadMessage>> => {
  if (typeof value !== "string") return fault(format, "", "a conversation is a text")
  if (value === "") return Result.succeed([])
  const reader = HarmonyReader.make(value.trimStart().startsWith(SpecialTokens.token("start")) ? null : "assistant")
  const pushed = reader.push(value)
  if (Result.isFailure(pushed)) return Result.fail(pushed.failure)
  const ended = reader.end()
  if (Result.isFailure(ended)) return Result.fail(ended.failure)
  const messages: Array<ReadMessage> = []
  for (const event of pushed.success) {
    if (event._tag === "Began") {
      const { channel, contentType, recipient, role } = event
      messages.push({ role, channel, recipient, contentType, text: "" })
    }
    const last = messages.at(-1)
    if (event._tag === "Text" && last !== undefined)
      messages[messages.length - 1] = { ...last, text: last.text + event.text }
  }
  return Result.succeed(messages)
}

/** Reads the deltas: fragments of the text of one reply. */
export const deltas = (): DeltaReader => {
  const reader = HarmonyReader.make("assistant")
  let callId: string | null = null
  let count = 0
  return {
    push: (fragment) =>
      typeof fragment !== "string"
        ? fault(format, "", "a fragment is a text")
        : Result.map(reader.push(fragment), (events) =>
            events.flatMap((event): ReadonlyArray<Delta> => {
              if (event._tag === "Text") {
                return callId === null ? [] : [{ _tag: "CallArguments", callId, text: event.text }]
              }
              callId = null
              if (event._tag === "Ended" || event.recipient?.startsWith(namespace) !== true) return []
              callId = callIdAt(count++)
              return [{ _tag: "CallStart", callId, name: event.recipient.slice(namespace.length) }]
            })
          )
  }
}

export const dialect: Dialect = checkedDialect("HarmonyTools", {
  names: ToolNames.harmony,
  writeDeclarations,
  readDeclarations,
  writeCalls,
  readCalls,
  writeResults,
  readResults,
  deltas
})
