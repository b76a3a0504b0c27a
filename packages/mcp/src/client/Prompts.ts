/**
 * The prompts of a server: listed within bounds, and filled with arguments. Their texts come from the server, so they are
 * treated as data.
 */
import type { Client } from "@modelcontextprotocol/sdk/client/index.js"
import * as Effect from "effect/Effect"
import * as CallResult from "./CallResult.ts"
import * as Definition from "./Definition.ts"
import { request } from "./Request.ts"

export interface PromptArgument {
  readonly name: string
  readonly description: string
  readonly isRequired: boolean
}

export interface Prompt {
  /** The name that the server uses. */
  readonly name: string
  readonly description: string
  readonly arguments: ReadonlyArray<PromptArgument>
}

interface RequestOptions {
  readonly signal: AbortSignal
  readonly timeout: number
}

const maxPrompts = 200
const maxPages = 20
const maxArguments = 20
const maxDescription = 200
const maxName = 200

const oneLine = (text: string | undefined): string =>
  Definition.plainText(text ?? "")
    .replaceAll("\n", " ")
    .slice(0, maxDescription)
    .toWellFormed()

type ListedPrompt = Awaited<ReturnType<Client["listPrompts"]>>["prompts"][number]

/** Reads a prompt; prompts whose name or arguments cannot be typed are left out. */
const read = ({ arguments: parameters = [], description, name, title }: ListedPrompt): ReadonlyArray<Prompt> =>
  name.trim() === "" || name.length > maxName || parameters.length > maxArguments
    ? []
    : [
        {
          name,
          description: oneLine(description ?? title),
          arguments: parameters.map((argument) => ({
            name: argument.name,
            description: oneLine(argument.description),
            isRequired: argument.required === true
          }))
        }
      ]

/** Lists page by page; a server without prompts has none. */
export const list = Effect.fnUntraced(function* (client: Client, timeoutMillis: number) {
  if (client.getServerCapabilities()?.prompts === undefined) return []
  const found: Array<Prompt> = []
  let cursor: string | undefined
  for (let page = 0; page < maxPages && found.length < maxPrompts; page += 1) {
    const params = cursor === undefined ? {} : { cursor }
    const listed = yield* request((signal) => client.listPrompts(params, { signal, timeout: timeoutMillis }))
    found.push(...listed.prompts.flatMap(read))
    if (listed.nextCursor === undefined || listed.nextCursor === cursor) break
    cursor = listed.nextCursor
  }
  return found.slice(0, maxPrompts)
})

export interface PromptRequest {
  /** The name that the server uses. */
  readonly name: string
  readonly arguments: Readonly<Record<string, string>>
}

/** Returns the messages of the prompt as one text; each begins with its role if there are several. */
export const get = (client: Client, { arguments: callArguments, name }: PromptRequest, options: RequestOptions) =>
  client.getPrompt({ name, arguments: { ...callArguments } }, options).then(({ messages }): CallResult.CallResult => {
    const read = messages.map(({ content, role }) => ({ role, ...CallResult.read({ content: [content] }) }))
    const [first] = read
    return {
      isError: false,
      structured: null,
      media: read.flatMap(({ media }) => media),
      text:
        read.length === 1 && first !== undefined
          ? first.text
          : read.map(({ role, text }) => `${role}: ${text}`).join("\n\n")
    }
  })
