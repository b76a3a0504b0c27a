/** The last messages of a session that is resumed in plain lines. Pure. */
import type { Entry } from "@bough/protocol"
import { type SafeText, text } from "@bough/tui/text/SafeText"
import * as EntryText from "../../format/EntryText.ts"

const maxRows = 12

/** Returns the last messages, numbered like the entries of the session; empty before the first message. */
export const rows = (entries: ReadonlyArray<Entry.Entry>): ReadonlyArray<SafeText> => {
  const from = entries.findLastIndex(({ body }) => body._tag === "UserMessage")
  if (from === -1) return []
  const all = entries
    .slice(from)
    .filter(isMessage)
    .flatMap((entry) => EntryText.rows(entry))
  const more = all.length - maxRows
  return more > 1 ? [...all.slice(0, maxRows), text`       … ${more} more rows`] : all
}

const isMessage = ({ body }: Entry.Entry): boolean =>
  body._tag === "UserMessage" || body._tag === "ModelReplied" || body._tag === "CallEnded"
