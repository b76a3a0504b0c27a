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
