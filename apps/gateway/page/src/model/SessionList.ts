/** Rows of the list of sessions. Pure. */
import type { Session } from "@bough/client"
import * as Escape from "@bough/tui/text/Escape"
import type { Tone } from "./CallText.ts"

/** Sessions whose title has all words, newest first. Children are reached through their tree. */
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

/** The title as text that nothing in it reorders or hides: models and other programs make titles. */
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
