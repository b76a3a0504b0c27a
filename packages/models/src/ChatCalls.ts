/**
 * The calls of one chat completion, assembled from their fragments. Servers connect fragments in different ways: by an
 * index, which some servers repeat for every call, by an id, or only by their order.
 */
import type { LanguageModelV4StreamPart } from "@ai-sdk/provider"
import { randomUUID } from "node:crypto"
import { signatureKey } from "./ChatRequest.ts"
import * as JsonGuards from "./JsonGuards.ts"

const { isFiniteNumber, isString, nullish, record } = JsonGuards

export const isDelta = record({
  index: nullish(isFiniteNumber),
  id: nullish(isString),
  function: nullish(record({ name: nullish(isString), arguments: nullish(isString) })),
  // The field in which Google's models sign calls here.
  extra_content: nullish(record({ google: nullish(record({ thought_signature: nullish(isString) })) }))
})
export type Delta = JsonGuards.GuardedType<typeof isDelta>

interface Call {
  readonly index: number | null
  id: string
  name: string
  /** Fragments that arrived before the name. */
  earlyFragments: string
  sent: string
  signature: string
}

export interface Assembler {
  readonly read: (delta: Delta) => ReadonlyArray<LanguageModelV4StreamPart>
  /** Returns the complete calls; call it at the end of the stream. */
  readonly end: () => ReadonlyArray<LanguageModelV4StreamPart>
}

export const assembler = (): Assembler => {
  const calls: Array<Call> = []

  /** The call that the delta continues; undefined: it begins one. */
  const callOfDelta = ({ index = null, ...delta }: Delta): Call | undefined => {
    const [id, name] = [trimmedText(delta.id), trimmedText(delta.function?.name)]
    const known = id === "" ? undefined : calls.findLast((call) => call.id === id)
    if (known !== undefined && (index === null || known.index === index)) return known
    // If a server gives every call the same index, a new id with a name begins a new call.
    const begins = name !== "" && (id !== "" || index === null)
    const last = index === null ? calls.at(-1) : calls.findLast((call) => call.index === index)
    return last !== undefined && begins && last.name !== "" ? undefined : last
  }

  const begin = ({ index = null }: Delta): Call => {
    const call: Call = { index, id: "", name: "", earlyFragments: "", sent: "", signature: "" }
    calls.push(call)
    return call
  }

  /** Returns a unique id: an id that the server used twice would merge two calls. */
  const unusedId = (id: string): string => (calls.some((call) => call.id === id) ? "" : id)

  const send = (call: Call, text: string): ReadonlyArray<LanguageModelV4StreamPart> => {
    call.sent += text
    return text === "" ? [] : [{ type: "tool-input-delta", id: call.id, delta: text }]
  }

  return {
    read: (delta) => {
      const call = callOfDelta(delta) ?? begin(delta)
      const name = trimmedText(delta.function?.name)
      call.signature ||= delta.extra_content?.google?.thought_signature ?? ""
      const text = delta.function?.arguments ?? ""
      if (call.name !== "") return send(call, text)
      call.id ||= unusedId(trimmedText(delta.id))
      call.earlyFragments += text
      if (name === "") return []
      call.name = name
      call.id ||= `call_${randomUUID()}`
      return [{ type: "tool-input-start", id: call.id, toolName: name }, ...send(call, call.earlyFragments)]
    },
    end: () =>
      calls.map(({ id, name, sent, signature }) =>
        name === ""
          ? { type: "error", error: { name: "InvalidResponseDataError", message: "a call has no name" } }
          : {
              type: "tool-call",
              toolCallId: id,
              toolName: name,
              input: sent,
              ...(signature === "" ? {} : { providerMetadata: { [signatureKey]: { thoughtSignature: signature } } })
            }
      )
  }
}

/** A blank text counts as absent. */
const trimmedText = (text: string | null | undefined): string =>
  text === null || text === undefined ? "" : text.trim()
