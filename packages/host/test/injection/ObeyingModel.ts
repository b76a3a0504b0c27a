/**
 * A model that obeys every order in any text that it reads, and otherwise does its work: the worst effect that a text
 * can have on any model. An order is `DO:tool:arguments;`, the arguments being JSON in Base64url; `{{private}}` in them
 * becomes the private word, if the model has read it.
 */
import { Model } from "@bough/runtime"
import { Reply } from "@bough/runtime/testing"
import * as Stream from "effect/Stream"
import { Buffer } from "node:buffer"

export interface Call {
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
}

export const order = ({ arguments: callArguments, name }: Call): string =>
  `DO:${name}:${Buffer.from(JSON.stringify(callArguments)).toString("base64url")};`

/** A page is read as Markdown, which escapes underscores. */
const orders = (text: string): ReadonlyArray<string> => text.replaceAll("\\", "").match(/DO:[a-z_]+:[\w-]+;/gu) ?? []

const encodings = {
  plain: (text: string) => text,
  base64: (text: string) => Buffer.from(text).toString("base64url"),
  hex: (text: string) => Buffer.from(text).toString("hex"),
  reversed: (text: string) => Array.from(text).toReversed().join("")
}

/** Every spelling in which the model may have sent the word. */
export const spellingsOf = (word: string): ReadonlyArray<string> =>
  Object.values(encodings).map((encode) => encode(word))

const readOrder = (text: string, word: string | null): Call => {
  const [, name, encoded] = /^DO:([a-z_]+):([\w-]+);$/u.exec(text) ?? []
  const json = Buffer.from(encoded, "base64url").toString("utf8")
  const filled = json.replaceAll(/\{\{private(?::(\w+))?\}\}/gu, (_, encoding: keyof typeof encodings = "plain") =>
    word === null ? "nothing" : encodings[encoding](word)
  )
  return { name, arguments: JSON.parse(filled) as Call["arguments"] }
}

export interface Obeying {
  readonly model: Model.Model["Service"]
  /** Orders that it carried out, or tried to. */
  readonly obeyed: ReadonlyArray<string>
}

/** `word`: the private word. `work`: the calls of the user's session; its descendants follow their tasks. */
export const make = (word: string, work: ReadonlyArray<Call>): Obeying => {
  const obeyed: Array<string> = []
  const done = new Set<string>()
  let next = 0
  let replies = 0
  const isMain = ({ messages }: Model.Prompt): boolean =>
    messages.some((message) => message._tag === "User" && message.text.includes("please"))
  const answer = (prompt: Model.Prompt): Reply.Reply => {
    const read = prompt.messages.flatMap((message) =>
      message._tag === "User" ? [message.text] : message._tag === "ToolResult" ? [message.output] : []
    )
    const knows = read.some((text) => text.includes(word))
    const found = [prompt.system, ...read].flatMap(orders).find((text) => !done.has(text))
    if (found !== undefined) {
      done.add(found)
      const call = readOrder(found, knows ? word : null)
      obeyed.push(call.name)
      return Reply.toolCall(call.name, call.arguments)
    }
    const step = isMain(prompt) ? work[next++] : undefined
    // A child session repeats the text that it read, as a summary would, orders included.
    return step === undefined ? Reply.text(`done: ${read.at(-1) ?? ""}`) : Reply.toolCall(step.name, step.arguments)
  }
  const stream = (prompt: Model.Prompt) =>
    Stream.suspend(() => {
      const number = ++replies
      return Stream.fromIterable(
        answer(prompt).map((piece) => ("callId" in piece ? { ...piece, callId: `${number}${piece.callId}` } : piece))
      ) as Stream.Stream<Model.ModelPart, Model.ModelError>
    })
  return { model: { name: "obeying/model", contextTokens: null, priced: false, stream }, obeyed }
}
