/** A list to choose from, which is filtered while typing. A pure fold of keys; `PickerRows` renders it. */
import { chord, typedBy } from "../editor/Bindings.ts"
import * as Fuzzy from "../editor/Fuzzy.ts"
import type { Key } from "../keys/Key.ts"
import { graphemes } from "../text/graphemes.ts"

export interface PickerItem {
  readonly id: string
  readonly label: string
  /** Text that is shown beside the label. */
  readonly detail: string
  /** Text that is shown below the list while the item is selected; "" for none. */
  readonly preview: string
  /** Further words that a search covers. */
  readonly words: string
}

export interface PickerState {
  readonly title: string
  /** The effect of Enter, such as "opens". */
  readonly verb: string
  readonly items: ReadonlyArray<PickerItem>
  readonly query: string
  /** The items that a search beyond the list found for the query, best first. */
  readonly found: ReadonlyArray<PickerItem>
  /** The items that match the query, best first. */
  readonly fitting: ReadonlyArray<PickerItem>
  /** The index of the selected item in `fitting`. */
  readonly selected: number
}

export type PickerResult =
  | { readonly _tag: "Open"; readonly picker: PickerState }
  | { readonly _tag: "Chosen"; readonly id: string }
  | { readonly _tag: "Closed" }

export interface PickerOptions {
  readonly title: string
  readonly verb: string
  readonly items: ReadonlyArray<PickerItem>
  /** The item that is selected at first; absent: the first item. */
  readonly current?: string
  /** The query at first; absent: none. */
  readonly query?: string
}

export const make = ({ current, items, query = "", title, verb }: PickerOptions): PickerState => {
  const fitting = matchingItems(items, query, [])
  const selected = fitting.findIndex(({ id }) => id === current)
  return { title, verb, items, query, found: [], fitting, selected: Math.max(0, selected) }
}

/** Adds the items that a search found for a query, unless the query has changed; the selected item stays selected. */
export const withSearchResults = (
  picker: PickerState,
  query: string,
  found: ReadonlyArray<PickerItem>
): PickerState => {
  if (picker.query !== query) return picker
  const fitting = matchingItems(picker.items, query, found)
  const id = picker.selected === 0 ? undefined : picker.fitting[picker.selected]?.id
  const selected = fitting.findIndex((one) => one.id === id)
  return { ...picker, found, fitting, selected: Math.max(0, selected) }
}

/** Makes an item whose label is its id. */
export const item = (id: string, fields: Partial<Omit<PickerItem, "id">> = {}): PickerItem => ({
  label: id,
  detail: "",
  preview: "",
  words: "",
  ...fields,
  id
})

const page = 8

export const press = (picker: PickerState, key: Key): PickerResult => {
  const typed = typedBy(key)
  if (typed !== "") return open(setQuery(picker, picker.query + typed))
  switch (chord(key)) {
    case "escape":
    case "ctrl-c":
    case "ctrl-d":
      return { _tag: "Closed" }
    case "enter": {
      const chosen = picker.fitting[picker.selected]
      return chosen === undefined ? open(picker) : { _tag: "Chosen", id: chosen.id }
    }
    case "up":
    case "ctrl-p":
    case "shift-tab":
      return open(moveSelection(picker, -1))
    case "down":
    case "ctrl-n":
    case "tab":
      return open(moveSelection(picker, 1))
    case "pageUp":
      return open(movedWithin(picker, -page))
    case "pageDown":
      return open(movedWithin(picker, page))
    case "home":
      return open({ ...picker, selected: 0 })
    case "end":
      return open({ ...picker, selected: Math.max(0, picker.fitting.length - 1) })
    case "backspace":
    case "ctrl-h":
      return open(setQuery(picker, graphemes(picker.query).slice(0, -1).join("")))
    case "ctrl-w":
      return open(setQuery(picker, picker.query.replace(/\S*\s*$/u, "")))
    case "ctrl-u":
      return open(setQuery(picker, ""))
    default:
      return open(picker)
  }
}

/** Adds pasted text to the query. */
export const paste = (picker: PickerState, text: string): PickerState =>
  setQuery(picker, picker.query + text.replaceAll(/\s+/gu, " "))

const open = (picker: PickerState): PickerResult => ({ _tag: "Open", picker })

/** Moves the selection, and wraps around at the ends. */
const moveSelection = (picker: PickerState, by: number): PickerState => {
  const count = picker.fitting.length
  return count === 0 ? picker : { ...picker, selected: (picker.selected + by + count) % count }
}

const movedWithin = (picker: PickerState, by: number): PickerState => ({
  ...picker,
  selected: Math.max(0, Math.min(picker.fitting.length - 1, picker.selected + by))
})

const setQuery = (picker: PickerState, query: string): PickerState => ({
  ...picker,
  query,
  found: [],
  fitting: matchingItems(picker.items, query, []),
  selected: 0
})

/**
 * Returns the items that contain every word of the query, those with a match in the label first, and then the found
 * ones; if there are none, items whose label contains its letters in order.
 */
const matchingItems = (
  items: ReadonlyArray<PickerItem>,
  query: string,
  found: ReadonlyArray<PickerItem>
): ReadonlyArray<PickerItem> => {
  const words = query
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== "")
  if (words.length === 0) return items
  const has = (text: string): boolean => words.every((word) => text.toLowerCase().includes(word))
  const byLabel = items.filter(({ label }) => has(label))
  const byRest = items.filter(
    (one) => !byLabel.includes(one) && has(`${one.label} ${one.detail} ${one.preview} ${one.words}`)
  )
  const listed = [...byLabel, ...byRest]
  const known = new Set(listed.map(({ id }) => id))
  const all = [...listed, ...found.filter(({ id }) => !known.has(id))]
  return all.length > 0 ? all : Fuzzy.best(items, ({ label }) => label, { query, limit: items.length })
}
