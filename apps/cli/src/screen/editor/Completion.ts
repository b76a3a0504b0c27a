/** What could stand where the cursor is: a command after `/`, a path after `@`. Pure; the host lists the paths. */
import { slashCommands } from "../../conversation/SlashCommands.ts"
import * as Draft from "./Draft.ts"
import type { ListedPath } from "./Event.ts"
import * as Fuzzy from "./Fuzzy.ts"

/** What is being completed: from `start` to the cursor. */
export interface Token {
  readonly kind: "slash" | "path"
  readonly start: number
  readonly query: string
}

export interface Item {
  readonly label: string
  readonly detail: string
  /** Stands in place of the token once it is chosen. */
  readonly insert: string
  /** More follows: a folder's content, a command's arguments. */
  readonly goesOn: boolean
}

export interface Completion {
  readonly token: Token
  readonly items: ReadonlyArray<Item>
  readonly selected: number
  /** The request whose answer is awaited; null: the items are those of the token. */
  readonly awaits: number | null
}

const longestToken = 1024
const slashToken = /^\/[a-z-]*$/u
const pathToken = /(?:^|[\s([{<,;:='`])@("(?:[^"\\\n]|\\.)*|[^\s"@]*)$/u

export const token = (draft: Draft.Draft): Token | null => {
  const { cursor, text } = draft
  const before = text.slice(Math.max(Draft.regionStart(draft, cursor), cursor - longestToken), cursor)
  if (before.length === cursor && slashToken.test(before)) return { kind: "slash", start: 0, query: before.slice(1) }
  if (text.startsWith("!")) return null
  const found = pathToken.exec(before)
  if (found === null) return null
  const [, written = ""] = found
  const query = written.startsWith('"') ? written.slice(1).replace(/\\(.)/gu, "$1") : written
  return { kind: "path", start: cursor - written.length - 1, query }
}

export const commands = (query: string): ReadonlyArray<Item> => {
  const fitting = Fuzzy.best(slashCommands, ({ name }) => name, { query, limit: slashCommands.length })
  const ordered = query === "" ? slashCommands : fitting
  return ordered.map(({ arguments: taken, help, name }) => ({
    label: `/${name}${taken === "" ? "" : ` ${taken}`}`,
    detail: help,
    insert: `/${name}${taken === "" ? "" : " "}`,
    goesOn: taken !== ""
  }))
}

export const path = ({ isFolder, path: given }: ListedPath): Item => {
  const whole = isFolder ? `${given}/` : given
  const needsQuotes = /[\s"'`()[\]{}<>,;@\\]/u.test(whole)
  const quoted = `"${whole.replace(/["\\]/gu, "\\$&")}`
  const insert = needsQuotes ? `@${quoted}${isFolder ? "" : '"'}` : `@${whole}`
  return { label: whole, detail: "", insert: isFolder ? insert : `${insert} `, goesOn: isFolder }
}

export const sameToken = (left: Token | null, right: Token | null): boolean =>
  left === right ||
  (left !== null &&
    right !== null &&
    left.kind === right.kind &&
    left.start === right.start &&
    left.query === right.query)

/** The item that Enter and Tab choose; null: none that is of this token. */
export const chosen = ({ awaits, items, selected }: Completion): Item | null =>
  awaits === null ? (items[selected] ?? null) : null

export const stepped = (completion: Completion, by: 1 | -1): Completion => {
  const { items, selected } = completion
  return { ...completion, selected: (selected + by + items.length) % items.length }
}
