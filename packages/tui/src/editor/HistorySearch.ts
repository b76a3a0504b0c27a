/** Searches earlier inputs for a part of their text, letter by letter. Pure. */
import * as Draft from "./Draft.ts"
import * as History from "./History.ts"

export interface Search {
  readonly query: string
  /** The entry that was found; null: no entry contains the query. */
  readonly at: number | null
  /** The content of the editor before the search. */
  readonly kept: Draft.Draft
}

export const begin = (savedDraft: Draft.Draft): Search => ({ query: "", at: null, kept: savedDraft })

const searchBelow = (history: History.History, search: Search, below: number): Search => ({
  ...search,
  at: search.query === "" ? null : History.find(history, search.query, below)
})

/** Starts another query from the newest entry. */
export const setQuery = (history: History.History, search: Search, query: string): Search =>
  searchBelow(history, { ...search, query }, history.entries.length)

/** Finds the next older entry that contains the query; without one, the entry stays the same. */
export const olderMatch = (history: History.History, search: Search): Search => {
  const next = searchBelow(history, search, search.at ?? history.entries.length)
  return next.at === null ? search : next
}

/** Returns the content of the editor during the search: the entry, with the cursor at the match. */
export const draftOf = ({ entries }: History.History, { at, kept, query }: Search): Draft.Draft => {
  const entry = at === null ? undefined : entries[at]
  if (entry === undefined) return kept
  const draft = Draft.insert(Draft.empty, Draft.plain(entry))
  return Draft.at(draft, Math.max(0, draft.text.toLowerCase().indexOf(query.toLowerCase())))
}
