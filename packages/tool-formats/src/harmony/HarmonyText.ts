/** Writes the messages of a conversation in the Harmony format: roles, channels, recipients. */
import { collect, type WriteResult } from "../Loss.ts"
import { plain, token } from "./SpecialTokens.ts"

/** `analysis`: reasoning; `commentary`: tool calls and the text before them; `final`: the answer. */
export type Channel = "analysis" | "commentary" | "final"

export type HarmonyMessage =
  | { readonly role: "system" | "developer" | "user"; readonly text: string }
  | { readonly role: "assistant"; readonly channel: Channel; readonly text: string }
  /** A call of a tool; `text` is JSON. */
  | { readonly role: "assistant"; readonly channel: "commentary"; readonly text: string; readonly recipient: string }
  /** The result of a tool; `name` is written as in "functions.look". */
  | { readonly role: "tool"; readonly name: string; readonly text: string }

/** Writes the messages in order. `promptEnd` after them requests a reply. */
export const render = (messages: ReadonlyArray<HarmonyMessage>): WriteResult<string> => {
  const losses = collect()
  const value = messages.map((message, index) => {
    const text = plain(message.text, `messages/${index}`, losses)
    if (message.role === "tool") {
      return `${token("start")}${message.name} to=assistant${token("channel")}commentary${token("message")}${text}${token("end")}`
    }
    if (message.role !== "assistant") return `${token("start")}${message.role}${token("message")}${text}${token("end")}`
    const channel = `${token("start")}assistant${token("channel")}${message.channel}`
    return "recipient" in message
      ? `${channel} to=${message.recipient} ${token("constrain")}json${token("message")}${text}${token("call")}`
      : `${channel}${token("message")}${text}${token("end")}`
  })
  return { value: value.join(""), losses: losses.list }
}

/** The text that requests the assistant's reply. */
export const promptEnd = `${token("start")}assistant`

export interface SystemFacts {
  readonly identity: string
  /** The cutoff of the knowledge, such as "2024-06"; null: unknown. */
  readonly knowledgeCutoff: string | null
  /** The date, such as "2026-02-01"; null: unknown. */
  readonly currentDate: string | null
  readonly effort: "low" | "medium" | "high"
  readonly hasTools: boolean
}

/** Makes the text of the system message. Instructions belong in the developer message. */
export const systemText = ({ currentDate, effort, hasTools, identity, knowledgeCutoff }: SystemFacts): string =>
  [
    identity,
    ...(knowledgeCutoff === null ? [] : [`Knowledge cutoff: ${knowledgeCutoff}`]),
    ...(currentDate === null ? [] : [`Current date: ${currentDate}`]),
    "",
    `Reasoning: ${effort}`,
    "",
    "# Valid channels: analysis, commentary, final. Channel must be included for every message.",
    ...(hasTools ? ["Calls to these tools must go to the commentary channel: 'functions'."] : [])
  ].join("\n")

/** Makes the text of the developer message: instructions, and the section of tools. */
export const developerText = (instructions: string, tools: string): string =>
  [...(instructions === "" ? [] : ["# Instructions", "", instructions, ""]), ...(tools === "" ? [] : [tools])]
    .join("\n")
    .trimEnd()
