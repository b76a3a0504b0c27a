/** Reads the Harmony format while it streams: whole messages and fragments of any size. */
import * as Result from "effect/Result"
import { fault, type FormatResult } from "../FormatFault.ts"
import * as SpecialTokens from "./SpecialTokens.ts"

/** The head of a message. `recipient` null: the message is for the user; `contentType` null: plain text. */
export interface HarmonyHead {
  readonly role: string
  readonly channel: string | null
  readonly recipient: string | null
  readonly contentType: string | null
}

/** `Ended` names the marker: a call, the end of the reply, or the end of a message. */
export type HarmonyEvent =
  | ({ readonly _tag: "Began" } & HarmonyHead)
  | { readonly _tag: "Text"; readonly text: string }
  | { readonly _tag: "Ended"; readonly by: "end" | "call" | "return" }

export interface HarmonyReader {
  readonly push: (text: string) => FormatResult<ReadonlyArray<HarmonyEvent>>
  /** Called after the last fragment. An unfinished message is a fault, because its call may lack arguments. */
  readonly end: () => FormatResult<ReadonlyArray<HarmonyEvent>>
}

const maxHeadCharacters = 1000
const maxMessages = 1000
const maxCharacters = 4 * 1024 ** 2

const marker = new RegExp(`<\\|(${SpecialTokens.names.join("|")})\\|>`, "u")

/** Makes a reader. `role`: the head with which the prompt has already begun the message, as `promptEnd` does. */
export const make = (role: string | null = null): HarmonyReader => {
  let buffer = ""
  let part: "outside" | "head" | "body" = role === null ? "outside" : "head"
  let head = role ?? ""
  let messages = 0
  let characters = 0

  const takeText = (text: string): FormatResult<ReadonlyArray<HarmonyEvent>> => {
    if (text === "") return none
    if (part === "body") return Result.succeed([{ _tag: "Text", text }])
    if (part === "outside")
      return text.trim() === "" ? none : harmonyFault(`text outside a message: ${text.slice(0, 40)}`)
    head += text
    return head.length > maxHeadCharacters ? harmonyFault("the head of a message is too long") : none
  }

  const takeMarker = (name: SpecialTokens.TokenName): FormatResult<ReadonlyArray<HarmonyEvent>> => {
    if (name === "start") {
      if (part !== "outside") return harmonyFault("a message began inside another one")
      part = "head"
      head = ""
      return none
    }
    if (name === "channel" || name === "constrain") {
      if (part !== "head") return harmonyFault(`${SpecialTokens.token(name)} outside the head of a message`)
      head += SpecialTokens.token(name)
      return none
    }
    if (name === "message") {
      if (part !== "head") return harmonyFault("<|message|> outside the head of a message")
      if (++messages > maxMessages) return harmonyFault(`more than ${maxMessages} messages`)
      part = "body"
      return Result.succeed([{ _tag: "Began", ...readHead(head) }])
    }
    if (part !== "body") return harmonyFault(`${SpecialTokens.token(name)} ends no message`)
    part = "outside"
    return Result.succeed([{ _tag: "Ended", by: name }])
  }

  const drain = (): FormatResult<ReadonlyArray<HarmonyEvent>> => {
    const events: Array<HarmonyEvent> = []
    for (;;) {
      const found = marker.exec(buffer)
      const upTo = found === null ? safeLength(buffer) : found.index
      const text = takeText(buffer.slice(0, upTo))
      if (Result.isFailure(text)) return text
      events.push(...text.success)
      buffer = buffer.slice(upTo)
      if (found === null) return Result.succeed(events)
      buffer = buffer.slice(found[0].length)
      const marked = takeMarker(found[1] as SpecialTokens.TokenName)
      if (Result.isFailure(marked)) return marked
      events.push(...marked.success)
    }
  }

  return {
    push: (text) => {
      characters += text.length
      if (characters > maxCharacters) return harmonyFault(`more than ${maxCharacters.toLocaleString("en")} characters`)
      buffer += text
      return drain()
    },
    end: () => {
      const rest = buffer
      buffer = ""
      if (part !== "outside") return harmonyFault("the text ends inside a message")
      return rest.trim() === "" ? none : harmonyFault(`text outside a message: ${rest.slice(0, 40)}`)
    }
  }
}

const none: FormatResult<ReadonlyArray<HarmonyEvent>> = Result.succeed([])

const harmonyFault = (message: string) => fault("harmony", "", message)

/**
 * Returns the length of the text that cannot be the beginning of a marker, which may be split between two fragments.
 */
const safeLength = (text: string): number => {
  const from = text.lastIndexOf("<")
  if (from < 0 || text.length - from >= SpecialTokens.maxCharacters) return text.length
  const tail = text.slice(from)
  return SpecialTokens.names.some((name) => SpecialTokens.token(name).startsWith(tail)) ? from : text.length
}

/** Reads a head, in which the recipient is beside the role or beside the channel. */
const readHead = (text: string): HarmonyHead => {
  const [before, constraint] = text.split(SpecialTokens.token("constrain"))
  const [roleText, channelText] = before.split(SpecialTokens.token("channel"))
  const words = (part: string | undefined) =>
    (part ?? "")
      .trim()
      .split(/\s+/u)
      .filter((word) => word !== "")
  const isRecipient = (word: string) => word.startsWith("to=")
  const recipient = [...words(roleText), ...words(channelText)].find(isRecipient)
  const role = words(roleText).find((word) => !isRecipient(word)) ?? ""
  const [channel, type] = words(channelText).filter((word) => !isRecipient(word))
  return {
    role,
    channel: channel ?? null,
    recipient: recipient === undefined ? null : recipient.slice("to=".length),
    contentType: words(constraint).at(0) ?? type ?? null
  }
}
