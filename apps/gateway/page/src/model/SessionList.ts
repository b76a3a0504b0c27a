/** The rows of the list of sessions. Pure. */
import type { Session } from "@bough/client"
import * as Escape from "@bough/tui/text/Escape"
import type { Tone } from "./CallText.ts"

/**
 * Returns the sessions whose title contains all words, newest first. Children are omitted, because they are shown in
 * their tree.
 */
export const search = (sessions: ReadonlyArray<Session>, text: string): ReadonlyArray<Session> => {
  const words = text
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== "")
  return sessions
    .filter(({ id, kind, title }) => {
      const row = `${title} ${id}`.toLowerCase()
      return kind === "Main" && words.every((word) => row.includes(word))
    })
    .toSorted((a, b) => b.updatedAtMillis - a.updatedAtMillis)
}

/** Adds the sessions that the gateway found to those of the list, newest first. */
export const merge = (listed: ReadonlyArray<Session>, found: ReadonlyArray<Session>): ReadonlyArray<Session> => {
  const known = new Set(listed.map(({ id }) => id))
  const further = found.filter(({ id, kind }) => kind === "Main" && !known.has(id))
  return [...listed, ...further].toSorted((a, b) => b.updatedAtMillis - a.updatedAtMillis)
}

/** The number of characters before the first match that a snippet keeps. */
const charactersBefore = 24

/** Returns the part of a message that begins shortly before the first word of the search. */
export const snippet = (text: string, search: string): string => {
  const line = Escape.prose(text.replaceAll(/\s+/gu, " "))
  const [word = ""] = search.trim().toLowerCase().split(/\s+/u)
  const at = line.toLowerCase().indexOf(word)
  return at <= charactersBefore ? line : `…${line.slice(at - charactersBefore)}`
}

/** Returns the title without characters that reorder or hide text, because models and other programs write titles. */
export const titleOf = ({ title }: Pick<Session, "title">, empty = "New session"): string =>
  title === "" ? empty : Escape.prose(title)

const tones: Readonly<Record<Session["state"], Tone>> = {
  Active: "live",
  Suspended: "plain",
  Completed: "good",
  Failed: "bad",
  Expired: "bad",
  Cancelled: "plain"
}

export const toneOf = (state: Session["state"]): Tone => tones[state]
