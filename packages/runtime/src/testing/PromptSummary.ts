/** Summarises a prompt in one line, for the messages of failed scripts and cassettes. */
import type * as Model from "../ports/Model.ts"

const maxLength = 120

export const summary = (prompt: Model.Prompt): string =>
  `it was asked with ${prompt.messages.length} messages, the last one ${lastMessage(prompt)}`

const lastMessage = (prompt: Model.Prompt): string => {
  const last = prompt.messages.at(-1)
  if (last === undefined) return "missing"
  if (last._tag === "User") return `User ${quote(last.text)}`
  if (last._tag === "Assistant") return `Assistant of ${last.parts.length} parts`
  return `ToolResult of ${last.name}${last.isError ? ", an error" : ""}, ${quote(last.output)}`
}

const quote = (text: string): string => JSON.stringify(text.length <= maxLength ? text : `${text.slice(0, maxLength)}…`)
