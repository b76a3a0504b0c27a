/** The history of inputs, through which up and down move; the unsent text is kept meanwhile. Pure. */
import * as Draft from "./Draft.ts"

/** The maximum number of entries in memory and in the file. */
export const maxEntries = 1000

export interface History {
  /** The entries, oldest first. */
  readonly entries: ReadonlyArray<string>
  /** The index of the entry in the editor; `entries.length`: the unsent text. */
  readonly at: number
  readonly kept: Draft.Draft
}

export const empty: History = { entries: [], at: 0, kept: Draft.empty }

export const addLoaded = (history: History, entries: ReadonlyArray<string>): History => {
  // Adds the entries of the file before those that were sent before the file was read.
  const all = [...entries, ...history.entries].slice(-maxEntries)
  return { ...history, entries: all, at: all.length - (history.entries.length - history.at) }
}

export const withEntry = ({ entries }: History, text: string): History => {
  const all = (entries.at(-1) === text ? entries : [...entries, text]).slice(-maxEntries)
  return { entries: all, at: all.length, kept: Draft.empty }
}

/** True if the text differs from the last entry. */
export const isNew = ({ entries }: History, text: string): boolean => entries.at(-1) !== text

export interface RecallResult {
  readonly history: History
  readonly draft: Draft.Draft
}

/**
 * Returns the next older entry, with the cursor at the end of its first line, so that another Up continues. Null: there
 * is none.
 */
export const older = (history: History, draft: Draft.Draft): RecallResult | null => {
  const at = history.entries.findLastIndex((entry, index) => index < history.at && entry !== draft.text)
  if (at < 0) return null
  const savedDraft = history.at === history.entries.length ? draft : history.kept
  const recalled = Draft.insert(Draft.empty, Draft.plain(history.entries[at] ?? ""))
  const feed = recalled.text.indexOf("\n")
  return { history: { ...history, at, kept: savedDraft }, draft: feed < 0 ? recalled : Draft.at(recalled, feed) }
}

/** Returns the next newer entry, or the unsent text. Null: the editor already contains the unsent text. */
export const newer = (history: History): RecallResult | null => {
  if (history.at >= history.entries.length) return null
  const at = history.at + 1
  const entry = history.entries[at]
  const draft = entry === undefined ? history.kept : Draft.insert(Draft.empty, Draft.plain(entry))
  return { history: { ...history, at }, draft }
}

/** Returns the newest entry before `below` that contains the query, ignoring case. Null: there is none. */
export const find = ({ entries }: History, query: string, below: number): number | null => {
  const lowerQuery = query.toLowerCase()
  const at = entries.findLastIndex((entry, index) => index < below && entry.toLowerCase().includes(lowerQuery))
  return at < 0 ? null : at
}
