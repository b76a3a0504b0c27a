/**
 * Texts of MCP servers that the user brings in by name: `/server:prompt` and `@server:uri`. The model reads them as untrusted
 * data before the user's message.
 */
import * as CommandTemplate from "@bough/host/commands/CommandTemplate"
import { nearest } from "@bough/host/config/Nearest"
import type { SessionWithMemory } from "@bough/host/session/SessionWithMemory"
import type { Session } from "@bough/runtime"
import * as InputSyntax from "@bough/tui/editor/InputSyntax"
import * as Effect from "effect/Effect"
import { type CliFailure, failure } from "../CliFailure.ts"
import { toCliFailure } from "../Failures.ts"

type Servers = NonNullable<SessionWithMemory["servers"]>
type Prompt = ReturnType<Servers["prompts"]>[number]
type TextSession = Pick<SessionWithMemory, "recordForeign" | "servers">

export interface InvokedPrompt {
  /** `server:prompt`. */
  readonly name: string
  /** The text after the name. */
  readonly argument: string
}

/** Parses a text as a prompt of a server; null: it is not one. */
export const read = (text: string | null): InvokedPrompt | null => {
  const input = InputSyntax.parse(text ?? "")
  return input._tag === "Slash" && input.name.includes(":") ? { name: input.name, argument: input.arguments } : null
}

/** The longest text that is passed to the model at once; longer text is truncated. */
const maxLength = 64 * 1024

const truncate = (text: string): string =>
  text.length <= maxLength
    ? text
    : `${text.slice(0, maxLength).toWellFormed()}\n[cut: the first ${maxLength} of ${text.length} characters]`

/** Records the prompt's text, and returns the user's message. */
export const fillPrompt = Effect.fnUntraced(function* (
  { recordForeign, servers }: TextSession,
  { argument, name }: InvokedPrompt
): Effect.fn.Return<Session.UserInput, CliFailure> {
  if (servers === null) return yield* failure(`there is no prompt /${name}: no MCP server is configured`, "")
  yield* servers.settled
  const prompts = servers.prompts()
  const prompt = prompts.find(({ command }) => command === name)
  if (prompt === undefined) return yield* unknownPrompt(name, prompts)
  const values = valuesOf(prompt, CommandTemplate.wordsOf(argument))
  const absent = prompt.arguments.filter((one) => one.isRequired && values[one.name] === undefined)
  if (absent.length > 0) {
    return yield* failure(
      `/${name} needs ${absent.map((one) => one.name).join(", ")}`,
      `write /${name} ${prompt.arguments.map((one) => one.name.toUpperCase()).join(" ")}, or ${absent[0]?.name ?? ""}=VALUE`
    )
  }
  const filled = yield* servers
    .prompt(prompt.server, { name: prompt.name, arguments: values })
    .pipe(Effect.mapError(({ message }) => failure(`/${name} was not sent: ${message}`, "")))
  const title = `text of the MCP server ${prompt.server} for its prompt ${JSON.stringify(prompt.name)}:`
  yield* recordForeign({ title, text: truncate(filled.text), labels: ["untrusted"] }).pipe(
    Effect.mapError(toCliFailure)
  )
  return { text: `Carry out /${name}: its text is above.`, media: filled.media }
})

const unknownPrompt = (name: string, prompts: ReadonlyArray<Prompt>): CliFailure => {
  const names = prompts.map(({ command }) => command)
  const near = nearest(name, names)
  const hint = near === null ? "/help lists the prompts of the servers that are connected" : `did you mean /${near}?`
  return failure(`there is no prompt /${name}`, hint)
}

/** Assigns words to arguments by position and `name=value` by name; left-over words go to the last argument. */
const valuesOf = (prompt: Prompt, words: ReadonlyArray<string>): Record<string, string> => {
  const values = new Map<string, string>()
  const names = prompt.arguments.map(({ name }) => name)
  const plain: Array<string> = []
  for (const word of words) {
    const at = word.indexOf("=")
    const name = word.slice(0, Math.max(at, 0))
    if (names.includes(name)) values.set(name, word.slice(at + 1))
    else plain.push(word)
  }
  const open = names.filter((name) => !values.has(name))
  for (const [index, name] of open.entries()) {
    const value = index === open.length - 1 ? plain.slice(index).join(" ") : plain[index]
    if (value !== undefined && value !== "") values.set(name, value)
  }
  return Object.fromEntries(values)
}

/** Matches `@server:uri` at the beginning of a word. */
const reference = /(?<=^|[\s([{<,;'"`])@([A-Za-z][\w-]*):([^\s'"`]+)/gu
const maxResources = 8

/** Reads the resources that a message names, records them as data, and returns their images. */
export const attach = Effect.fnUntraced(function* (
  { recordForeign, servers }: TextSession,
  text: string
): Effect.fn.Return<Session.UserInput["media"], CliFailure> {
  if (servers === null) return []
  const named = Array.from(text.matchAll(reference), ([, written = "", uri = ""]) => ({
    server: servers.find(written),
    uri: uri.replace(/[.,;:!?)\]}>]+$/u, "")
  }))
  // An @word of another form, such as an email address, is plain text.
  const known = named.flatMap(({ server, uri }) => (server === null || uri === "" ? [] : [{ server, uri }]))
  const distinct = [...new Map(known.map((one) => [`${one.server}:${one.uri}`, one])).values()]
  if (distinct.length > maxResources) {
    return yield* failure(`the message names ${distinct.length} resources`, `name ${maxResources} at most`)
  }
  const media: Array<Session.UserInput["media"][number]> = []
  const read = yield* Effect.forEach(distinct, ({ server, uri }) =>
    servers.resource(server, uri).pipe(
      Effect.map((content) => ({ server, uri, content })),
      Effect.mapError(({ message }) => failure(`the message was not sent: @${server}:${uri}: ${message}`, ""))
    )
  )
  for (const { content, server, uri } of read) {
    const title = `@${server}:${uri}, a resource that its MCP server wrote:`
    yield* recordForeign({ title, text: truncate(content.text), labels: ["untrusted"] }).pipe(
      Effect.mapError(toCliFailure)
    )
    media.push(...content.media)
  }
  return media
})
