/** Completions at the cursor: a command after `/`, its argument, a path after `@`. Pure; the host lists the paths. */
import * as Draft from "./Draft.ts"
import type { ListedPath } from "./EditorEvent.ts"
import * as Fuzzy from "./Fuzzy.ts"
import type { ArgumentOptions, SlashCommand } from "./InputSyntax.ts"

/** The text that is being completed, from `start` to the cursor. */
export interface Token {
  readonly kind: "slash" | "argument" | "path"
  readonly start: number
  readonly query: string
}

export interface Item {
  readonly label: string
  readonly detail: string
  /** The text that replaces the token once the item is chosen. */
  readonly insert: string
  /** True if more follows: a folder's content, a command's arguments. */
  readonly goesOn: boolean
}

export interface Completion {
  readonly token: Token
  readonly items: ReadonlyArray<Item>
  /** The index in `items`; -1: none is selected, and the typed text is used. */
  readonly selected: number
  /** The pending request; null: the items belong to the token. */
  readonly awaits: number | null
}

const maxTokenLength = 1024
const slashToken = /^\/[a-z0-9_:-]*$/u
const argumentToken = /^\/([a-z][a-z-]*)[ \t]+(\S*)$/u
const pathToken = /(?:^|[\s([{<,;:='`])@("(?:[^"\\\n]|\\.)*|[^\s"@]*)$/u

/** The arguments of commands, by their names. */
export type KnownArguments = ReadonlyMap<string, ArgumentOptions>

export const token = (draft: Draft.Draft, known: KnownArguments): Token | null => {
  const { cursor, text } = draft
  const before = text.slice(Math.max(Draft.regionStart(draft, cursor), cursor - maxTokenLength), cursor)
  if (before.length === cursor && slashToken.test(before)) return { kind: "slash", start: 0, query: before.slice(1) }
  const argument = before.length === cursor ? argumentToken.exec(before) : null
  if (argument !== null && known.has(argument[1])) {
    return { kind: "argument", start: cursor - argument[2].length, query: argument[2] }
  }
  if (text.startsWith("!")) return null
  const found = pathToken.exec(before)
  if (found === null) return null
  const [, written = ""] = found
  const query = written.startsWith('"') ? written.slice(1).replace(/\\(.)/gu, "$1") : written
  return { kind: "path", start: cursor - written.length - 1, query }
}

export const commands = (all: ReadonlyArray<SlashCommand>, query: string): ReadonlyArray<Item> => {
  const fitting = Fuzzy.best(all, ({ name }) => name, { query, limit: all.length })
  const ordered = query === "" ? all : fitting
  return ordered.map(({ arguments: taken, help, name }) => ({
    label: `/${name}${taken === "" ? "" : ` ${taken}`}`,
    detail: help,
    insert: `/${name}${taken === "" ? "" : " "}`,
    goesOn: taken !== ""
  }))
}

const argumentAt = ({ cursor, text }: Draft.Draft) => argumentToken.exec(text.slice(0, cursor))

/** Returns the command whose argument is being typed; "": none. */
export const commandOf = (draft: Draft.Draft): string => argumentAt(draft)?.[1] ?? ""

/**
 * Returns items that contain the typed text, in their order; also items whose description contains it, so that a
 * session is found by its title.
 */
export const options = (draft: Draft.Draft, known: KnownArguments): ReadonlyArray<Item> => {
  const [, command, query] = argumentAt(draft) ?? ["", "", ""]
  const lowerQuery = query.toLowerCase()
  return (known.get(command) ?? [])
    .filter(([name, text]) => `${name} ${text}`.toLowerCase().includes(lowerQuery))
    .map(([name, text]) => ({ label: name, detail: text, insert: name, goesOn: false }))
}

export const path = ({ isFolder, path: listed }: ListedPath): Item => {
  const fullPath = isFolder ? `${listed}/` : listed
  const needsQuotes = /[\s"'`()[\]{}<>,;@\\]/u.test(fullPath)
  const quoted = `"${fullPath.replace(/["\\]/gu, "\\$&")}`
  const insert = needsQuotes ? `@${quoted}${isFolder ? "" : '"'}` : `@${fullPath}`
  return { label: fullPath, detail: "", insert: isFolder ? insert : `${insert} `, goesOn: isFolder }
}

export const sameToken = (left: Token | null, right: Token | null): boolean =>
  left === right ||
  (left !== null &&
    right !== null &&
    left.kind === right.kind &&
    left.start === right.start &&
    left.query === right.query)

/** Returns the item that Enter and Tab choose; null: none belongs to this token. */
export const chosenItem = ({ awaits, items, selected }: Completion): Item | null =>
  awaits === null ? (items[selected] ?? null) : null

export const step = (completion: Completion, by: 1 | -1): Completion => {
  const { items, selected } = completion
  const from = selected === -1 && by === -1 ? 0 : selected
  return { ...completion, selected: (from + by + items.length) % items.length }
}
