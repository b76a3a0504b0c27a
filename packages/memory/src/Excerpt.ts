/** Cuts the part of a long text that has the most words of a query. Pure. */
import { NoteWords } from "@bough/text"

/** Characters of an excerpt. */
export const maxLength = 600
/** The distance between the starts of consecutive windows. */
const stride = 200

const windows = (text: string): ReadonlyArray<string> =>
  Array.from({ length: Math.ceil((text.length - maxLength) / stride) + 1 }, (_, index) =>
    text.slice(index * stride, index * stride + maxLength)
  )

/** Returns the excerpt; a short text is unchanged. */
export const cut = (text: string, query: string): string => {
  const well = text.toWellFormed()
  if (well.length <= maxLength) return well
  const queryWords = NoteWords.queryWords(query)
  const all = windows(well)
  const counts = all.map((window) => {
    const lower = window.toLowerCase()
    return queryWords.filter((word) => lower.includes(word)).length
  })
  const at = counts.indexOf(Math.max(...counts))
  const end = at * stride + maxLength
  return `${at === 0 ? "" : "… "}${all[at].toWellFormed().trim()}${end >= well.length ? "" : " …"}`
}
