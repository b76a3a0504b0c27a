/** The smallest search of notes by their words with SQLite alone: one FTS5 table and its own bm25(). */
import { DatabaseSync } from "node:sqlite"
import type { Scored } from "./Systems.ts"

interface Text {
  readonly id: string
  readonly text: string
}

const quote = (term: string): string => `"${term.replaceAll('"', '""')}"`

const words = (text: string): ReadonlyArray<string> => text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []

/** Returns the trigrams of a text, which are searched because a full word would have to match exactly. */
const trigrams = (text: string): ReadonlyArray<string> =>
  words(text.toLowerCase()).flatMap((word) => {
    const letters = Array.from(word)
    return letters.slice(2).map((_, index) => letters.slice(index, index + 3).join(""))
  })

const tokenizers = {
  porter: { tokenize: "porter unicode61 remove_diacritics 2", cut: words },
  trigram: { tokenize: "trigram", cut: trigrams }
}

export const open = (texts: ReadonlyArray<Text>, tokenizer: keyof typeof tokenizers) => {
  const { cut, tokenize } = tokenizers[tokenizer]
  const database = new DatabaseSync(":memory:")
  database.exec(`CREATE VIRTUAL TABLE notes USING fts5 (id UNINDEXED, text, tokenize = "${tokenize}")`)
  const insert = database.prepare("INSERT INTO notes VALUES (?, ?)")
  for (const { id, text } of texts) insert.run(id, text)
  const select = database.prepare(
    "SELECT id, -bm25(notes) AS score FROM notes WHERE notes MATCH ? ORDER BY rank LIMIT ?"
  )
  return (text: string, limit: number): ReadonlyArray<Scored> => {
    const terms = [...new Set(cut(text))]
    if (terms.length === 0) return []
    return select
      .all(terms.map(quote).join(" OR "), limit)
      .map(({ id, score }) => ({ id: String(id), score: Number(score) }))
  }
}
