/**
 * Finds the row of a word. The first words are searched in the text of the list, which is enough for a process that
 * embeds one query. After that, a map of all words is built, which takes 20 ms.
 */
import * as Table from "./Table.ts"

export type RowLookup = (word: string) => number | undefined

/** The number of text searches after which building the map would have been faster. */
const maxSearched = 64

/** `text` has one word per line. */
export const make = (text: Buffer): RowLookup => {
  const lines = Buffer.concat([Buffer.from("\n"), text])
  let searched = 0
  let rows: ReadonlyMap<string, number> | null = null

  const search: RowLookup = (word) => {
    const end = lines.indexOf(`\n${word}\n`)
    if (end === -1) return undefined
    return lines.toString("latin1", 0, end).split("\n").length - 1
  }

  return (word) => {
    if (rows === null && searched++ < maxSearched) return search(word)
    rows ??= new Map(Table.wordsIn(text).map((known, row) => [known, row]))
    return rows.get(word)
  }
}
