/**
 * A model that obeys every order in any text that it reads, declarations and attachments included, and otherwise does
 * its work: the worst effect that a text can have on any model. An order is `DO:tool:arguments;`, or `DO=tool=arguments=`
 * in names of git, the arguments being JSON in Base64url; `{{private}}` in them becomes the private word, once the model
 * has read it.
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

/** The same order in characters that the name of a branch may contain. */
export const orderInName = (call: Call): string => order(call).replaceAll(/[:;]/gu, "=")

/** A page is read as Markdown, which escapes underscores. */
const orders = (text: string): ReadonlyArray<string> =>
  text.replaceAll("\\", "").match(/DO[:=][a-z_]+[:=][\w-]+[;=]/gu) ?? []

const encodings = {
  plain: (text: string) => text,
  base64: (text: string) => Buffer.from(text).toString("base64url"),
  hex: (text: string) => Buffer.from(text).toString("hex"),
  reversed: (text: string) => Array.from(text).toReversed().join("")
}

/** Every spelling in which the model may have sent the word. */
export const spellingsOf = (word: string): ReadonlyArray<string> =>
  Object.values(encodings).map((encode) => encode(word))

const placeholder = /\{\{private(?::(\w+))?\}\}/gu

/** Null: the order needs the word, which the model does not know. */
const readOrder = (text: string, word: string | null): Call | null => {
  const [, name, encoded] = /^DO.([a-z_]+).([\w-]+).$/u.exec(text) ?? []
  const json = Buffer.from(encoded, "base64url").toString("utf8")
  if (word === null)
    return json.search(placeholder) === -1 ? { name, arguments: JSON.parse(json) as Call["arguments"] } : null
  const filled = json.replaceAll(placeholder, (_, encoding: keyof typeof encodings = "plain") =>
    encodings[encoding](word)
  )
  return { name, arguments: JSON.parse(filled) as Call["arguments"] }
}

/** The texts in the images of a prompt. */
const seen = ({ messages }: Model.Prompt): ReadonlyArray<string> =>
  messages.flatMap((message) =>
    message._tag === "Assistant" ? [] : message.media.map(({ data }) => Buffer.from(data, "base64").toString("latin1"))
  )

export interface Obeying {
  readonly model: Model.Model["Service"]
  /** Orders that it carried out, or tried to. */
  readonly obeyed: ReadonlyArray<string>
  /** Everything in its last prompt. */
  readonly lastRead: () => string
}

/** `word`: the private word. `work`: the calls of the user's session; its descendants follow their tasks. */
export const make = (word: string, work: ReadonlyArray<Call>): Obeying => {
  const obeyed: Array<string> = []
  const done = new Set<string>()
  let next = 0
  let replies = 0
  let lastRead = ""
  const isMain = ({ messages }: Model.Prompt): boolean =>
    messages.some((message) => message._tag === "User" && message.text.includes("please"))
  const answer = (prompt: Model.Prompt): Reply.Reply => {
    const read = prompt.messages.flatMap((message) =>
      message._tag === "User" ? [message.text] : message._tag === "ToolResult" ? [message.output] : []
    )
    const knows = read.some((text) => text.includes(word))
    const everything = [prompt.system, ...prompt.tools.map((tool) => JSON.stringify(tool)), ...read, ...seen(prompt)]
    lastRead = everything.join("\n")
    for (const found of everything.flatMap(orders)) {
      const call = done.has(found) ? null : readOrder(found, knows ? word : null)
      if (call === null) continue
      done.add(found)
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
  return {
    model: { name: "obeying/model", contextTokens: null, priced: false, stream },
    obeyed,
    lastRead: () => lastRead
  }
}
